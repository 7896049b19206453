#!/usr/bin/env node
// A bot in Node that speaks the protocol itself, over gRPC (proto/README.md).
//
//     npm ci
//     CARICO_TOKEN=... node bot.js --name mybot --bot-version 1 --referee 127.0.0.1:12040 [--tls-ca ca.pem]
//
// It takes a trick with its cheapest card that does where there is something to take, and else throws its cheapest card
// away. Every ask holds the whole view, so between frames it keeps nothing but the number of players of each match.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

// The folder that holds carico/v1/bots.proto: that of the checkout, unless the environment names another.
const PROTOS = process.env.CARICO_PROTO ?? fileURLToPath(new URL("../../../proto/", import.meta.url));
const POINTS = [11, 10, 4, 3, 2]; // by rank: A 3 K Q J; all others are worth nothing
const FINAL = new Set([grpc.status.UNAUTHENTICATED, grpc.status.PERMISSION_DENIED, grpc.status.INVALID_ARGUMENT,
  grpc.status.UNIMPLEMENTED]);

// --- play ---

// A card is one byte, suit << 4 | rank; a lower rank is stronger.
const suit = (card) => card >> 4;
const points = (card) => POINTS[card & 15] ?? 0;

/** Whether a card, played after another to one trick, stands above it. */
const beats = (card, other, trump) => (suit(card) === suit(other) ? card < other : suit(card) === trump);

/** What a card is worth to keep: its points, then its strength, and trumps more than anything of another suit. */
const price = (card, trump) => points(card) * 20 + 12 - (card & 15) + (suit(card) === trump ? 60 : 0);

/** The trump suit: that of the upcard, or at Chiamata of the card called, which is said last; none at Briscolone. */
function trumps(view) {
  if (view.upcard !== 255) return suit(view.upcard);
  const last = view.auction.length ? view.auction[view.auction.length - 1] : 255;
  return last !== 255 && last >= 128 ? suit(last - 128) : -1;
}

/** The answer to an ask: passes every auction, and exchanges nothing. */
function decide({ phase, view }, players) {
  if (phase === "PHASE_AUCTION") return { kind: "ACTION_KIND_PASS" };
  if (phase === "PHASE_EXCHANGE") return { kind: "ACTION_KIND_DECLINE" };
  return { kind: "ACTION_KIND_PLAY", card: choose(view, players) };
}

/** The card to play: one of the hand, as its byte. */
function choose(view, players) {
  const trump = trumps(view);
  const cheapest = (cards) => cards.reduce((a, b) => (price(b, trump) < price(a, trump) ? b : a));
  const hand = [...view.hand];
  const table = [...view.played].slice(view.played.length - (view.played.length % players));
  if (table.length === 0) return cheapest(hand);
  const best = table.reduce((a, b) => (beats(b, a, trump) ? b : a));
  const takers = hand.filter((card) => beats(card, best, trump));
  const stake = table.reduce((sum, card) => sum + points(card), 0);
  const taker = takers.length ? cheapest(takers) : undefined;
  return taker !== undefined && stake + points(taker) > 0 ? taker : cheapest(hand);
}

// --- the line to the referee ---

/** One stream, from its hello to its end; gives its status. `matches` holds the players of each open match. */
function playOnce(service, metadata, hello, matches, say) {
  return new Promise((resolve) => {
    const stream = service.Play(metadata);
    let welcomed = false;
    stream.on("data", (frame) => {
      if (frame.welcome) {
        welcomed = true;
        say(`connected to ${frame.welcome.referee} as ${frame.welcome.bot}`);
      }
      for (const start of frame.starts) matches.set(start.match, Number(start.game.name.split("-")[1]));
      const answers = frame.asks.map((ask) => ({
        match: ask.match,
        seat: ask.seat,
        number: ask.number,
        action: decide(ask, matches.get(ask.match)),
      }));
      for (const end of frame.ends) {
        matches.delete(end.match);
        for (const fault of end.faults) {
          if (end.seats.includes(fault.seat)) say(`match ${end.match} lost by ${fault.reason}: ${fault.detail}`);
        }
      }
      for (const notice of frame.notices) say(`${notice.reason}: ${notice.text}`);
      const seenEnds = frame.ends.map((end) => end.match);
      if (answers.length || seenEnds.length) stream.write({ answers, seenEnds });
    });
    stream.on("error", () => {}); // "status" says it, too
    stream.on("status", (status) => resolve({ ...status, welcomed }));
    stream.write({ hello });
  });
}

/** Plays until something final happens; comes back after a lost connection. */
async function play({ name, version, referee, token, authorities, say }) {
  const description = loadSync("carico/v1/bots.proto", { includeDirs: [PROTOS], enums: String, defaults: true });
  const { BotsService } = grpc.loadPackageDefinition(description).carico.v1;
  const credentials = authorities ? grpc.credentials.createSsl(authorities) : grpc.credentials.createInsecure();
  const service = new BotsService(referee, credentials, { "grpc.keepalive_time_ms": 20_000 });
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  const hello = { oldestProtocol: 1, newestProtocol: 1, bot: name, version, viewMode: "VIEW_MODE_SNAPSHOT",
    client: "example-node" };
  const matches = new Map();
  for (let ceiling = 200; ; ) {
    const { code, details, welcomed } = await playOnce(service, metadata, hello, matches, say);
    const replaced = code === grpc.status.ABORTED && /replaced/i.test(details);
    if (FINAL.has(code) || code === grpc.status.FAILED_PRECONDITION || replaced) return details;
    if (welcomed) ceiling = 200;
    say(`${details}; trying again`);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * ceiling));
    ceiling = Math.min(2 * ceiling, 10_000);
  }
}

const { values } = parseArgs({
  options: {
    name: { type: "string" },
    "bot-version": { type: "string", default: "1" },
    referee: { type: "string", default: process.env.CARICO_REFEREE ?? "127.0.0.1:12040" },
    "tls-ca": { type: "string" },
  },
});
const say = (text) => console.error(`${values.name}: ${text}`);
const token = process.env.CARICO_TOKEN;
if (!values.name || !token) {
  console.error("usage: CARICO_TOKEN=... node bot.js --name NAME [--bot-version V] [--referee HOST:PORT] [--tls-ca FILE]");
  process.exit(2);
}
const authorities = values["tls-ca"] ? readFileSync(values["tls-ca"]) : undefined;
const why = await play({ name: values.name, version: values["bot-version"], referee: values.referee, token, authorities,
  say });
say(why);
process.exit(1);
