import type { SourceRule } from '#contract/tracking/schemas';
import { RE2JS } from 're2js';
import { comparableAddress, type ReadLanding } from './read-landing.ts';
import { belongsTo } from './system-hosts.ts';
import type { KnownSource, Match } from './types.ts';

/** The company's own rules on the page's address and parameters (step 1), in the order of sources. */
export const pageRules = (landing: ReadLanding, sources: readonly KnownSource[]): Match[] =>
  matching(sources, 1, (rule) => pageEvidence(landing, rule));

/** The company's own rules on the referrer (step 4), in the order of sources. */
export const referrerRules = (landing: ReadLanding, sources: readonly KnownSource[]): Match[] =>
  matching(sources, 4, (rule) =>
    rule.on === 'referrer' && landing.referrer && belongsTo(landing.referrer.host, rule.value)
      ? landing.referrer.host
      : null,
  );

const matching = (
  sources: readonly KnownSource[],
  step: number,
  evidenceOf: (rule: SourceRule) => string | null,
): Match[] =>
  sources.flatMap((source) =>
    source.rules.flatMap((rule) => {
      const evidence = evidenceOf(rule);
      return evidence === null ? [] : [{ ruleId: rule.id, step, source, evidence }];
    }),
  );

function pageEvidence(landing: ReadLanding, rule: SourceRule): string | null {
  if (rule.on === 'param') {
    const found = landing.parameters.get((rule.name ?? '').toLowerCase());
    return found && found.value.toLowerCase() === rule.value.toLowerCase()
      ? `${found.name}=${found.value}`
      : null;
  }
  if (rule.on !== 'url') return null;
  const wanted = rule.value.toLowerCase();
  const matches =
    rule.match === 'regex'
      ? patternMatches(rule.value, landing.comparable)
      : rule.match === 'equals'
        ? landing.comparable === comparableAddress(wanted)
        : landing.comparable.includes(wanted);
  return matches ? landing.comparable.slice(0, 200) : null;
}

/** What a company wrote is matched in linear time: it meets addresses that anyone can send. */
const patternMatches = (pattern: string, text: string): boolean => {
  const compiled = patternOf(pattern);
  return typeof compiled === 'object' && compiled.matcher(text).find();
};

const compiledPatterns = new Map<string, RE2JS | string>();
/** Compiled patterns are kept: each visit asks all of them. */
const MAX_KEPT_PATTERNS = 2000;

function patternOf(pattern: string): RE2JS | string {
  const known = compiledPatterns.get(pattern);
  if (known !== undefined) return known;
  if (compiledPatterns.size >= MAX_KEPT_PATTERNS) compiledPatterns.clear();
  let compiled: RE2JS | string;
  try {
    compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    compiled = String(error);
  }
  compiledPatterns.set(pattern, compiled);
  return compiled;
}

/** False for a pattern that can't be used: wrong, or with a back reference or look-around. */
export const isUsablePattern = (pattern: string): boolean => typeof patternOf(pattern) === 'object';
