import type { LostReason, SourceGroup, SourceKind } from '#contract/tracking/rules';
import type { SourceRule } from '#contract/tracking/schemas';

/** A source as classification needs it; `rules` are empty for those of everyone. */
export interface KnownSource {
  id: number;
  key: string;
  label: string;
  kind: SourceKind;
  group: SourceGroup;
  rules: readonly SourceRule[];
}

/** What is known of a visit when it starts. */
export interface Landing {
  url: string;
  referrer?: string | null | undefined;
}

/** The visitor's parameter names of each of our fields, first present wins; absent: `utm_*` only. */
export type ParameterNames = Partial<
  Record<'source' | 'medium' | 'campaign' | 'term' | 'content', readonly string[] | undefined>
>;

export interface SiteSettings {
  /** The company's own sources, in the order in which they are asked. */
  sources: readonly KnownSource[];
  /** Domains of the site besides the landing's own; `*.example.com` is every subdomain. */
  domains: readonly string[];
  parameterNames: ParameterNames;
}

/** A rule that recognized something of a visit. */
export interface Match {
  ruleId: string;
  step: number;
  source: KnownSource;
  /** The fact that it recognized, such as `utm_source=google`. */
  evidence: string;
}
export interface LostRule {
  ruleId: string;
  step: number;
  sourceKey: string | null;
  evidence: string;
  why: LostReason;
}
/** What one step found: matches in its order of preference, and rules that lost by themselves. */
export interface StepResult {
  matches: Match[];
  lost: LostRule[];
}
