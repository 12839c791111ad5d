import type { LookupKind } from '#contract/integrations/oauth-integrations/rules';
import type { OutboundAnswer, OutboundRequest } from './outbound.ts';

/** Something that a person can choose from an account at a provider. */
export interface LookupItem {
  id: string;
  name: string;
  /** A word more, such as its state; null: none. */
  detail: string | null;
}

/** What an answer means. `unauthorized`: the token isn’t taken (any more). */
type LookupAnswer =
  | { state: 'found'; items: readonly LookupItem[]; next: string | null }
  | { state: 'refused' | 'unauthorized' | 'away'; text: string };

/** A list of a connected account. It says what to ask; the token and the request are the engine’s. */
export interface Lookup {
  readonly provider: string;
  /** `channels`: asked for by the calls of Slack. */
  readonly kind: LookupKind | 'channels';
  /**
   * Pure. `parent`: what they belong to; null: nothing was named. `cursor`: where to go on; null: at the
   * start. `account`: the provider's ID of the connected account.
   */
  ask(question: { parent: string | null; cursor: string | null; account: string }): OutboundRequest;
  /** What came back means. Pure. */
  read(answer: OutboundAnswer): LookupAnswer;
}
export type Lookups = readonly Lookup[];
