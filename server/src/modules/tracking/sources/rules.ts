import type { SourceRule, SourceRuleIn } from '#contract/tracking/schemas';

/** The key of a new source from its name: `own_spring_mailer`; with a number while it is taken. */
export function sourceKey(label: string, taken: ReadonlySet<string>): string {
  const words = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
  const key = `own_${words || 'source'}`;
  let free = key;
  for (let n = 2; taken.has(free); n++) free = `${key}_${n}`;
  return free;
}

/**
 * Rules as they are stored, and the number of the last that was ever added. One that names an ID of
 * the source keeps it; others get the next, and no ID is ever used again, because visits are stored
 * with the rule that decided.
 */
export function storedRules(
  source: { id: number; rules: readonly SourceRule[]; last_rule: number },
  rules: readonly SourceRuleIn[],
): { rules: SourceRule[]; lastRule: number } {
  const unused = new Set(source.rules.map(({ id }) => id));
  let lastRule = source.last_rule;
  const stored = rules.map((rule): SourceRule => {
    const id =
      rule.id !== undefined && unused.delete(rule.id) ? rule.id : `own.${source.id}.${++lastRule}`;
    switch (rule.on) {
      case 'url':
        return { id, on: 'url', match: rule.match, name: null, value: rule.value };
      case 'param':
        return { id, on: 'param', match: 'equals', name: rule.name, value: rule.value };
      case 'referrer':
        return {
          id,
          on: 'referrer',
          match: 'host',
          name: null,
          value: rule.value.toLowerCase().replace(/^www\./, ''),
        };
    }
  });
  return { rules: stored, lastRule };
}
