import type { RawBuilder } from 'kysely';
import type { ItemGroup } from '#contract/analytics/dashboard/rules';
import type { Range } from './question.ts';
import type { Known } from './store-known.ts';

/** Texts, voicemails or faxes in a span. */
export interface ItemsAsked {
  kind: 'message' | 'voicemail' | 'fax';
  from: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
  tz: string;
  range: Range;
  group: ItemGroup;
  direction: 'inbound' | 'outbound' | 'all';
  numberIds: readonly number[] | null;
  userIds: readonly number[] | null;
  /** Only texts of campaigns, or only others; null: all. */
  fromCampaign: boolean | null;
}
export interface ItemRow {
  /** null: of no one, or in no organization. */
  key: string | null;
  inbound: number;
  outbound: number;
}

/** In which company, as SQL says it. */
export interface Place {
  companyId: Known<number>;
  organizationId: Known<number | null>;
  only: RawBuilder<unknown>;
}
