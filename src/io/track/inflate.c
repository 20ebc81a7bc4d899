/* gzip files (RFC 1952): blocks of DEFLATE (RFC 1951), unpacked bit by bit. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/recording.h"

enum { BITS = 15, LITERALS = 288, DISTANCES = 30, LENGTHS = 19, END = 256, HEADER = 10, TRAILER = 8 };

typedef struct stream {
    const unsigned char *in;
    size_t length, at;
    uint32_t bits;
    int bit_count;
    char *out;
    size_t size, room, most;
    bool fine;
} stream;

/* Codes by length, as RFC 1951, 3.2.2 counts them: symbols of one length are in order. */
typedef struct codes {
    short count[BITS + 1], symbol[LITERALS];
} codes;

static unsigned take_bits(stream *s, int count)
{
    while (s->bit_count < count && s->at < s->length) {
        s->bits |= (uint32_t)s->in[s->at++] << s->bit_count;
        s->bit_count += 8;
    }
    s->fine = s->fine && s->bit_count >= count;
    unsigned value = s->bits & ((1u << count) - 1);
    s->bits >>= count;
    s->bit_count -= count;
    return s->fine ? value : 0;
}

static void put(stream *s, char byte)
{
    if (s->size == s->room) {
        size_t room = s->room ? 2 * s->room : 1 << 16;
        char *more = room <= s->most ? realloc(s->out, room) : NULL;
        s->fine = s->fine && more;
        if (!more)
            return;
        s->out = more;
        s->room = room;
    }
    s->out[s->size++] = byte;
}

static void make_codes(codes *c, const unsigned char *lengths, int count)
{
    short first[BITS + 2] = {0};
    memset(c, 0, sizeof *c);
    for (int i = 0; i < count; i++)
        c->count[lengths[i]]++;
    c->count[0] = 0;
    for (int n = 1; n <= BITS; n++)
        first[n + 1] = (short)(first[n] + c->count[n]);
    for (int i = 0; i < count; i++)
        if (lengths[i])
            c->symbol[first[lengths[i]]++] = (short)i;
}

static int take_symbol(stream *s, const codes *c)
{
    int code = 0, first = 0, index = 0;
    for (int n = 1; n <= BITS && s->fine; n++) {
        code |= (int)take_bits(s, 1);
        if (code - first < c->count[n])
            return c->symbol[index + code - first];
        index += c->count[n];
        first = (first + c->count[n]) << 1;
        code <<= 1;
    }
    s->fine = false;
    return END;
}

static void copy_back(stream *s, int symbol, const codes *distances)
{
    static const short lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    int k = symbol - END - 1;
    if (k >= (int)(sizeof lengths / sizeof lengths[0])) {
        s->fine = false;
        return;
    }
    int extra = k < 8 || k == 28 ? 0 : k / 4 - 1;
    size_t length = (size_t)lengths[k] + take_bits(s, extra);
    int d = take_symbol(s, distances);
    s->fine = s->fine && d < DISTANCES;
    if (!s->fine)
        return;
    int more = d < 4 ? 0 : d / 2 - 1;
    size_t back = (d < 4 ? (size_t)d + 1 : ((size_t)(2 + (d & 1)) << more) + 1) + take_bits(s, more);
    s->fine = s->fine && back <= s->size;
    for (size_t i = 0; i < length && s->fine; i++)
        put(s, s->out[s->size - back]);
}

static void block_of_codes(stream *s, const codes *literals, const codes *distances)
{
    for (int symbol = 0; s->fine && symbol != END;) {
        symbol = take_symbol(s, literals);
        if (symbol < END)
            put(s, (char)symbol);
        else if (symbol > END)
            copy_back(s, symbol, distances);
    }
}

static void fixed_block(stream *s)
{
    unsigned char lengths[LITERALS], same[DISTANCES];
    codes literals, distances;
    for (int i = 0; i < LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(same, 5, sizeof same);
    make_codes(&literals, lengths, LITERALS);
    make_codes(&distances, same, DISTANCES);
    block_of_codes(s, &literals, &distances);
}

/* Lengths of codes, which are coded themselves, with repeats. */
static void take_lengths(stream *s, const codes *c, unsigned char *lengths, int count)
{
    for (int i = 0; i < count && s->fine;) {
        int symbol = take_symbol(s, c), repeat = 1, value = symbol;
        if (symbol > 18 || (symbol == 16 && i == 0)) {
            s->fine = false;
            return;
        }
        if (symbol >= 16) {
            value = symbol == 16 ? lengths[i - 1] : 0;
            repeat = symbol == 18 ? 11 + (int)take_bits(s, 7) : 3 + (int)take_bits(s, symbol == 16 ? 2 : 3);
        }
        s->fine = s->fine && i + repeat <= count;
        for (int k = 0; k < repeat && s->fine; k++)
            lengths[i++] = (unsigned char)value;
    }
}

static void dynamic_block(stream *s)
{
    static const unsigned char order[LENGTHS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[LITERALS + 32] = {0};
    codes c, distances;
    int literals = 257 + (int)take_bits(s, 5), others = 1 + (int)take_bits(s, 5), coded = 4 + (int)take_bits(s, 4);
    for (int i = 0; i < coded; i++)
        lengths[order[i]] = (unsigned char)take_bits(s, 3);
    make_codes(&c, lengths, LENGTHS);
    s->fine = s->fine && literals <= 286 && others <= DISTANCES;
    if (!s->fine)
        return;
    memset(lengths, 0, sizeof lengths);
    take_lengths(s, &c, lengths, literals + others);
    make_codes(&c, lengths, literals);
    make_codes(&distances, lengths + literals, others);
    block_of_codes(s, &c, &distances);
}

static void stored_block(stream *s)
{
    s->bits = 0;
    s->bit_count = 0;
    s->fine = s->fine && s->length - s->at >= 4;
    if (!s->fine)
        return;
    size_t length = s->in[s->at] | (size_t)s->in[s->at + 1] << 8;
    s->at += 4;
    s->fine = s->length - s->at >= length;
    for (size_t i = 0; i < length && s->fine; i++)
        put(s, (char)s->in[s->at++]);
}

/* The end of the header: an extra field, a name, a comment, a checksum, as the flags say. */
static size_t skip_header(const unsigned char *in, size_t length)
{
    size_t at = HEADER;
    if (in[3] & 4 && at + 2 <= length)
        at += 2 + (in[at] | (size_t)in[at + 1] << 8);
    for (int flag = 8; flag <= 16; flag *= 2)
        if (in[3] & flag) {
            while (at < length && in[at])
                at++;
            at++;
        }
    return at + (in[3] & 2 ? 2 : 0);
}

/* The checksum of RFC 1952, bit by bit. */
static uint32_t checksum(const char *bytes, size_t length)
{
    uint32_t table[256], c = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++)
            table[i] = table[i] & 1 ? 0xEDB88320u ^ table[i] >> 1 : table[i] >> 1;
    }
    for (size_t i = 0; i < length; i++)
        c = table[(c ^ (unsigned char)bytes[i]) & 0xFF] ^ c >> 8;
    return ~c;
}

static uint32_t word_at(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

char *carom_gunzip(const char *bytes, size_t length, size_t *size)
{
    const unsigned char *in = (const unsigned char *)bytes;
    *size = 0;
    if (length < HEADER + TRAILER || in[0] != 0x1F || in[1] != 0x8B || in[2] != 8)
        return NULL;
    stream s = {
        .in = in, .length = length - TRAILER, .at = skip_header(in, length), .most = (size_t)1 << 30, .fine = true};
    s.fine = s.at < s.length;
    for (bool last = false; s.fine && !last;) {
        last = take_bits(&s, 1);
        unsigned kind = take_bits(&s, 2);
        s.fine = s.fine && kind < 3;
        if (s.fine)
            (kind == 0 ? stored_block : kind == 1 ? fixed_block : dynamic_block)(&s);
    }
    s.fine = s.fine && s.at + TRAILER == length && checksum(s.out, s.size) == word_at(in + s.at);
    if (!s.fine) {
        free(s.out);
        return NULL;
    }
    *size = s.size;
    return s.out;
}
