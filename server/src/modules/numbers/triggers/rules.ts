interface KeywordRule {
  id: number;
  keyword: string;
  match_mode: string;
}
const tokenize = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
const matchModeRank: Record<string, number> = { exact: 0, first_word: 1, contains: 2 };
// The column allows only these modes.
const rankOf = ({ match_mode: mode }: KeywordRule): number => matchModeRank[mode]!;

/**
 * Whether a text has the rule's keyword where its match mode wants it. Ignores case and
 * punctuation; `contains` matches whole words only.
 */
export function matchesKeyword(
  rule: Pick<KeywordRule, 'keyword' | 'match_mode'>,
  text: string,
): boolean {
  const tokens = tokenize(text);
  const keyword = rule.keyword.normalize('NFKC').toLowerCase();
  if (rule.match_mode === 'exact') return tokens.length === 1 && tokens[0] === keyword;
  return rule.match_mode === 'first_word' ? tokens[0] === keyword : tokens.includes(keyword);
}
/**
 * The rule that replies: the strictest that matches, then the longest keyword, then the oldest.
 * Null: none matches.
 */
export const bestRule = <R extends KeywordRule>(rules: readonly R[], text: string): R | null =>
  rules
    .filter((rule) => matchesKeyword(rule, text))
    .sort(
      (a, b) => rankOf(a) - rankOf(b) || b.keyword.length - a.keyword.length || a.id - b.id,
    )[0] ?? null;

/**
 * Marketing replies are sent from 8:00 to 21:00 where the recipient is (TCPA). Returns the next
 * 8:00 there; null: send now. `timezone` null: New York.
 */
export function quietUntil(now: Date, timezone: string | null): Date | null {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone ?? 'America/New_York',
      hourCycle: 'h23',
      hour: 'numeric',
      minute: 'numeric',
    })
      .formatToParts(now)
      .map((p) => [p.type, Number(p.value)]),
  );
  const minutes = (parts['hour'] ?? 12) * 60 + (parts['minute'] ?? 0);
  if (minutes >= 8 * 60 && minutes < 21 * 60) return null;
  return new Date(
    Math.ceil((now.getTime() + ((8 * 60 - minutes + 1440) % 1440) * 60_000) / 60_000) * 60_000,
  );
}
