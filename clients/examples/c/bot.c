/* A bot in C that speaks JSON lines (proto/JSONLINES.md), with the standard library alone.
 *
 *     cc -O2 -Wall -Wextra -o bot bot.c
 *     carico check -- ./bot
 *
 * It takes a trick with its cheapest card that does where there is something to take, and else throws its cheapest card
 * away. It passes every auction and exchanges nothing. Everything it needs stands in the ask, so it keeps nothing: it may be started again at any moment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 65536, MOST_CARDS = 48 };

static const char RANKS[] = "A3KQJ9876542"; /* from strong to weak */

/* Where the value of a key of the message itself begins, or NULL; inner objects have keys of the same name. carico
 * writes no spaces. */
static const char *value_of(const char *line, const char *key)
{
    const size_t length = strlen(key);
    int depth = 0;
    for (const char *at = line; *at != '\0'; at++) {
        if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        } else if (*at == '"') {
            const char *end = at + 1;
            while (*end != '\0' && *end != '"')
                end += *end == '\\' && end[1] != '\0' ? 2 : 1;
            if (*end == '\0')
                return NULL;
            if (depth == 1 && end[1] == ':' && (size_t)(end - at - 1) == length && memcmp(at + 1, key, length) == 0)
                return end + 2;
            at = end;
        }
    }
    return NULL;
}

/* Copies the text that begins here, without its quotes. Those that are asked for hold no escapes. */
static int copy_text(const char *value, char *out, size_t room)
{
    if (value == NULL || *value != '"')
        return 0;
    const size_t length = strcspn(value + 1, "\"");
    if (length >= room)
        return 0;
    memcpy(out, value + 1, length);
    out[length] = '\0';
    return 1;
}

static int text_of(const char *line, const char *key, char *out, size_t room)
{
    return copy_text(value_of(line, key), out, room);
}

static long number_of(const char *line, const char *key)
{
    const char *value = value_of(line, key);
    return value != NULL ? strtol(value, NULL, 10) : -1;
}

/* Copies a list of cards, such as ["AC","7B"]; returns how many there are. */
static int cards_of(const char *line, const char *key, char cards[MOST_CARDS][3])
{
    const char *at = value_of(line, key);
    int count = 0;
    if (at == NULL || *at != '[')
        return 0;
    for (at++; *at == '"' && count < MOST_CARDS; at += at[4] == ',' ? 5 : 4) {
        memcpy(cards[count], at + 1, 2);
        cards[count++][2] = '\0';
    }
    return count;
}

static int rank_of(const char *card) { return (int)(strchr(RANKS, card[0]) - RANKS); } /* 0 is the ace */

static int points_of(const char *card)
{
    static const int points[] = {11, 10, 4, 3, 2};
    return rank_of(card) < 5 ? points[rank_of(card)] : 0;
}

/* Whether a card, played after another to one trick, stands above it. */
static int beats(const char *card, const char *other, char trump)
{
    return card[1] == other[1] ? rank_of(card) < rank_of(other) : card[1] == trump;
}

/* What a card is worth to keep: its points, then its strength, and trumps more than anything of another suit. */
static int price_of(const char *card, char trump)
{
    return points_of(card) * 20 + (12 - rank_of(card)) + (card[1] == trump ? 60 : 0);
}

/* The answer: one of the texts of "legal". */
static const char *choose(const char *line)
{
    static char legal[MOST_CARDS][3], first[32];
    char table[MOST_CARDS][3], trump[4] = "", phase[16];
    const char *list = value_of(line, "legal");
    if (list == NULL || !copy_text(list + 1, first, sizeof first) || !text_of(line, "phase", phase, sizeof phase))
        return NULL;
    if (strcmp(phase, "play") != 0)
        return first; /* to pass, to decline, or the first suit */
    const int choices = cards_of(line, "legal", legal);
    const int played = cards_of(line, "table", table);
    text_of(line, "trump", trump, sizeof trump); /* null where there are no trumps: then no card has its letter */

    int best = 0, stake = 0;
    for (int i = 0; i < played; i++) {
        stake += points_of(table[i]);
        if (beats(table[i], table[best], trump[0]))
            best = i;
    }
    const char *cheapest = legal[0], *taker = NULL;
    for (int i = 0; i < choices; i++) {
        if (price_of(legal[i], trump[0]) < price_of(cheapest, trump[0]))
            cheapest = legal[i];
        if (played > 0 && beats(legal[i], table[best], trump[0]) &&
            (taker == NULL || price_of(legal[i], trump[0]) < price_of(taker, trump[0])))
            taker = legal[i];
    }
    return taker != NULL && stake + points_of(taker) > 0 ? taker : cheapest;
}

int main(void)
{
    static char line[LINE + 1];
    char type[16], match[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (!text_of(line, "type", type, sizeof type))
            continue;
        if (strcmp(type, "hello") == 0) {
            puts("{\"type\":\"hello\",\"protocol\":1}");
        } else if (strcmp(type, "ask") == 0 && text_of(line, "match", match, sizeof match)) {
            const char *answer = choose(line);
            if (answer == NULL) {
                fprintf(stderr, "bot: nothing here that I can play: %s", line);
                continue;
            }
            printf("{\"type\":\"answer\",\"match\":\"%s\",\"seat\":%ld,\"number\":%ld,\"action\":\"%s\"}\n", match,
                   number_of(line, "seat"), number_of(line, "number"), answer);
        }
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
