import type { numbers as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { isFeatureOn, type FeatureName } from '#contract/numbers/features/rules';
import type { TxCtx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import { companyRow } from '../companies/index.ts';
import { valuesOf } from '../fields/index.ts';
import { presentView } from './present.ts';
import { numberRecord, numberView } from './store.ts';
import { triggersByNumber } from './triggers/present.ts';

/** A number with its settings as the API shows it. Fails with 404 if the caller may not see it. */
export async function presentNumber(ctx: TxCtx, id: number): Promise<contract.NumberDetail> {
  const row = (await numberView(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  return presentView(
    row,
    ctx.now,
    (await triggersByNumber(ctx, [id])).get(id),
    (await valuesOf(ctx, entityOf.number, [id])).get(id),
  );
}

/** What other modules need of a number. */
export interface NumberSummary {
  id: number;
  number: string;
  label: string;
  status: contract.NumberDetail['status'];
  record: boolean;
  /** `none`, `default`, or the custom text. */
  recording_announcement: string;
  recording_retention_days: number | null;
  call_transcription_enabled: boolean;
  sms_enabled: boolean;
  mms_enabled: boolean;
  voicemail: {
    enabled: boolean;
    greeting: string | null;
    transcribe: boolean;
    email: string[];
    sms_notify: boolean;
  };
  country: string;
  area_code: string;
  caller_id_name: string | null;
  schedule_id: number | null;
  /** Greetings of the library by ID; null: none. */
  greetings: {
    welcome: number | null;
    voicemail: number | null;
    recording_announcement: number | null;
  };
  /** B §3: the provider; `gateways.carriers.forNumber` finds the carrier that serves it. */
  provider_id: number;
  provider_ref: string | null;
  /** The number that replaced this one; until then callers of this one reach it. */
  rotated: { to: number; until: Date } | null;
}
/**
 * A number regardless of who may see it, also a released one, because history refers to it. What belongs
 * to a feature that the company has turned off is off, whatever the number says.
 * Undefined: the company never had it.
 */
export async function readNumber(
  tx: Tx,
  companyId: number,
  id: number,
): Promise<NumberSummary | undefined> {
  const row = await numberRecord(tx, companyId, id);
  if (!row) return undefined;
  const settings = (await companyRow(tx, companyId))?.settings;
  const has = (feature: FeatureName) => isFeatureOn(settings, feature);
  return {
    id: row.id,
    number: row.number,
    label: row.label,
    status: row.status as NumberSummary['status'],
    record: row.record && has('call-recording'),
    recording_announcement:
      row.recording_announcement === 'custom'
        ? (row.recording_announcement_text ?? 'default')
        : row.recording_announcement,
    recording_retention_days: row.recording_retention_days,
    call_transcription_enabled: row.call_transcription_enabled && has('call-transcription'),
    sms_enabled: row.sms_enabled && has('sms'),
    mms_enabled: row.mms_enabled && has('mms'),
    voicemail: {
      enabled: row.voicemail_enabled,
      greeting: row.voicemail_greeting,
      transcribe: row.voicemail_transcribe && has('call-transcription'),
      email: row.voicemail_emails,
      sms_notify: row.voicemail_sms_notify,
    },
    country: row.country,
    area_code: row.area_code,
    caller_id_name: row.caller_id_name,
    schedule_id: row.schedule_id,
    greetings: {
      welcome: row.greeting_id,
      voicemail: row.voicemail_greeting_id,
      recording_announcement:
        row.recording_announcement === 'custom' ? row.recording_announcement_greeting_id : null,
    },
    provider_id: row.provider_id,
    provider_ref: row.provider_ref,
    rotated:
      row.rotated_to !== null && row.forward_until !== null
        ? { to: row.rotated_to, until: new Date(row.forward_until) }
        : null,
  };
}
