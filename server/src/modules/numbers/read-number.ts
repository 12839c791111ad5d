import type { numbers as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import { valuesOf } from '../fields/index.ts';
import { presentView } from './present.ts';
import { numberRecord, numberView } from './store.ts';
import { triggersByNumber } from './triggers/present.ts';

/** A number with its settings as people see it; not found when it is not theirs to see. */
export async function presentNumber(ctx: TxCtx, id: number): Promise<contract.NumberDetail> {
  const row = (await numberView(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  return presentView(
    row,
    ctx.now,
    (await triggersByNumber(ctx, [id])).get(id),
    (await valuesOf(ctx, entityOf.number, [id])).get(id),
  );
}

/** What other modules ask of a number. */
export interface NumberSummary {
  id: number;
  number: string;
  label: string;
  status: contract.NumberDetail['status'];
  record: boolean;
  /** `none`, `default`, or the words themselves. */
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
  /** What the library says where the words above do not. */
  greetings: {
    welcome: number | null;
    voicemail: number | null;
    recording_announcement: number | null;
  };
  /** B §3: whose number it is; `ports.carriers.ofNumber` leads to its carrier. */
  provider_id: number;
  provider_ref: string | null;
  /** Another one took its place: until then its callers reach that one. */
  rotated: { to: number; until: Date } | null;
}
/** A number of the company whoever asks, also one that was given back (history points at it). */
export async function readNumber(
  tx: Tx,
  companyId: number,
  id: number,
): Promise<NumberSummary | undefined> {
  const row = await numberRecord(tx, companyId, id);
  return (
    row && {
      id: row.id,
      number: row.number,
      label: row.label,
      status: row.status as NumberSummary['status'],
      record: row.record,
      recording_announcement:
        row.recording_announcement === 'custom'
          ? (row.recording_announcement_text ?? 'default')
          : row.recording_announcement,
      recording_retention_days: row.recording_retention_days,
      call_transcription_enabled: row.call_transcription_enabled,
      sms_enabled: row.sms_enabled,
      mms_enabled: row.mms_enabled,
      voicemail: {
        enabled: row.voicemail_enabled,
        greeting: row.voicemail_greeting,
        transcribe: row.voicemail_transcribe,
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
    }
  );
}
