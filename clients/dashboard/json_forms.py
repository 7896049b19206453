"""What the API tells, as plain JSON. Every field is described in ``openapi.py``."""

from collections.abc import Mapping
from typing import Any

from clients.dashboard.reader import LeagueView
from clients.dashboard.records import Record
from clients.dashboard.referee_watch import RefereeView
from clients.dashboard.replay import used_by_seat
from clients.dashboard.snapshot import FixtureView, SeasonView, Standing
from worker.tournament.rows import FORMAT

Json = dict[str, Any]


def season_json(season: SeasonView) -> Json:
    """A season at a glance."""
    return {
        "id": season.id,
        "status": season.status.value,
        "created_ms": season.created_ms,
        "game": season.game.name,
        "options": dict(season.game.options),
        "legs": season.legs,
        "open_entry": season.open_entry,
        "practice": season.practice,
        "entrants": len(season.entrants),
        "fixtures": len(season.fixtures),
        "deals": season.deals,
        "deals_planned": season.deals_planned,
        "deals_per_second": season.rate,
        "seconds_left": season.left_s,
        "version": season.version,
    }


def standings_json(season: SeasonView) -> Json:
    """The table in its own format, each row with what the pages show beside it."""
    return {
        "format": FORMAT,
        "season": season.id,
        "game": season.game.name,
        "status": season.status.value,
        "rows": [row_json(one) for one in season.table],
    }


def row_json(one: Standing) -> Json:
    """A row of the table."""
    return {
        **one.row.to_json(),
        "decks": one.decks,
        "margin": one.margin,
        "margin_error": one.error,
        "form": list(one.form),
    }


def cross_table_json(season: SeasonView) -> Json:
    """Who met whom, by the entrants' numbers in this answer."""
    return {
        "season": season.id,
        "entrants": [one.to_json() for one in season.entrants],
        "cells": [
            {"row": row, "column": column, "score": cell.score, "against": cell.against, "decks": cell.decks}
            for (row, column), cell in sorted(season.cells.items())
        ],
    }


def fixture_json(season: SeasonView, fixture: FixtureView) -> Json:
    """A fixture."""
    return {
        "number": fixture.number,
        "round": fixture.round,
        "leg": fixture.leg,
        "entrants": [season.entrants[one].to_json() for one in fixture.entrants],
        "state": fixture.state,
        "deals": fixture.deals,
        "deals_planned": fixture.expected,
        "scores": list(fixture.scores),
        "match_points": None if fixture.match_points is None else list(fixture.match_points),
        "reason": fixture.reason,
        "lost_by": [season.entrants[one].to_json() for one in fixture.lost_by],
        "finished_deal_sets": list(fixture.finished_sets),
    }


def deal_json(record: Record) -> Json:
    """A deal at a glance; its whole record is elsewhere."""
    outcome: Mapping[str, Any] = record["outcome"]
    return {
        **{key: record[key] for key in ("deal_set", "fixture", "seating", "deal", "attempt", "match", "dealer")},
        "seats": record["seats"],
        "termination": outcome["termination"],
        "winners": outcome["winners"],
        "card_points": outcome["card_points"],
        "scores": outcome["scores"],
        "faults": [{"seat": seat, "reason": reason, "after": after} for seat, reason, after in outcome["faults"]],
        "used_ms": list(used_by_seat(record)),
    }


def platform_json(platform: Mapping[str, Any]) -> Json:
    """The state of the platform, from what its page shows."""
    league: LeagueView = platform["league"]
    referee: RefereeView = platform["referee"]
    return {
        "store_up": league.store_up,
        "referee_up": referee.up,
        "bots": [
            {"bot": one.bot, "version": one.version, "owner": one.owner, "open_matches": one.open_matches}
            for one in referee.bots
        ],
        "matches_running": referee.running,
        "matches_ended": referee.ended,
        "matches_void": referee.void,
        "matches_per_second": referee.matches_s,
        "actions_per_second": referee.actions_s,
        "loop_lag_ms": platform["lag_ms"],
        "viewers": platform["viewers"],
        "alarms": platform["alarms"],
        "seasons": [
            {
                "id": id_,
                "chunks_open": one.progress.open,
                "chunks_leased": one.progress.leased,
                "chunks_done": one.progress.done,
                "queue": one.backlog,
                "leases_overdue": one.overdue,
                "idle_ms": one.idle_ms,
            }
            for id_, one in league.vitals.items()
        ],
    }
