import {
  callOutcomeLabels,
  callStatusLabels,
  type CallOutcome,
  type CallStatus,
} from '#contract/calls/rules';
import {
  exportColumns,
  type ColumnOf,
  type ExportEntity,
} from '#contract/fields/presets/export-columns';
import { moneyToDecimal } from '#contract/money';
import type { Cell, ExportColumn } from '../../../platform/export-formats.ts';
import { maskNumber } from '../../../platform/masking/mask-text.ts';
import { callFacts, type CallFact, type ExportRow, type RequiredJoins } from './store-exports.ts';

type Cells<E extends ExportEntity> = { [K in ColumnOf<E>]: (r: ExportRow) => Cell };
const detailCell = (r: ExportRow, key: string): Cell => {
  const value = r.details[key];
  return typeof value === 'string' || typeof value === 'number' ? value : null;
};
const direction = (r: ExportRow) => (r.is_inbound ? 'inbound' : 'outbound');
const seconds = (r: ExportRow) => r.duration_seconds ?? Number(r.details['duration'] ?? 0);
const partyColumns = {
  number: (r: ExportRow) => r.number,
  number_label: (r: ExportRow) => r.number_label,
  party: (r: ExportRow) => r.party,
  contact: (r: ExportRow) => r.contact,
};
const item = {
  ...partyColumns,
  at: (r: ExportRow) => r.created_at,
  direction,
  read_at: (r: ExportRow) => r.read_at,
  archived: (r: ExportRow) => r.archived,
  conversation_id: (r: ExportRow) => r.conversation_id,
  sent_by: (r: ExportRow) => (r.is_inbound ? null : r.actor_name),
  error: (r: ExportRow) => detailCell(r, 'errorText'),
};

const sourceColumns = {
  source: (r: ExportRow) => detailCell(r, 'source'),
  medium: (r: ExportRow) => detailCell(r, 'medium'),
  source_campaign: (r: ExportRow) => detailCell(r, 'campaign'),
  keyword: (r: ExportRow) => detailCell(r, 'keyword'),
  landing_page: (r: ExportRow) => detailCell(r, 'landingUrl'),
  visits: (r: ExportRow) => r.visits ?? null,
};

const cells: { [E in ExportEntity]: Cells<E> } = {
  calls: {
    ...partyColumns,
    ...sourceColumns,
    direction,
    conversation_id: item.conversation_id,
    started_at: item.at,
    id: (r) => detailCell(r, 'callId'),
    caller_name: (r) => r.caller_name ?? null,
    caller_city: (r) => r.caller_city ?? null,
    caller_state: (r) => r.caller_state ?? null,
    outcome: (r) => callOutcomeLabels[Number(r.details['outcome'] ?? 0) as CallOutcome],
    status: (r) => callStatusLabels[Number(r.details['status'] ?? 1) as CallStatus],
    answered_by: (r) => detailCell(r, 'answeredBy'),
    ring_seconds: (r) => r.ring_seconds ?? null,
    talk_seconds: (r) => r.talk_seconds ?? null,
    duration_seconds: seconds,
    over_30: (r) => seconds(r) > 30,
    over_90: (r) => seconds(r) > 90,
    over_120: (r) => seconds(r) > 120,
    over_300: (r) => seconds(r) > 300,
    answered_at: (r) => r.answered_at ?? null,
    ended_at: (r) => r.ended_at ?? null,
    first_contact: (r) => r.first_contact ?? null,
    extension: (r) => r.extension ?? null,
    extension_label: (r) => r.extension_label ?? null,
    tags: (r) => r.tags ?? null,
    note: (r) => r.note ?? null,
    qualified: (r) => r.qualified ?? null,
    lead: (r) => r.lead ?? null,
    outcome_tags: (r) => r.outcome_tags?.join('; ') ?? null,
    department: (r) => r.department ?? null,
    value: (r) => (r.value_cents == null ? null : Number(moneyToDecimal(r.value_cents))),
    spam: (r) => r.spam ?? null,
    recorded: (r) => r.recorded ?? null,
    transcript: (r) => r.transcript ?? null,
    summary: (r) => r.summary ?? null,
  },
  messages: {
    ...item,
    ...sourceColumns,
    content: (r) => detailCell(r, 'content'),
    delivery_state: (r) => r.delivery_state,
    segments: (r) => detailCell(r, 'segments'),
    encoding: (r) => detailCell(r, 'encoding'),
    automatic: (r) => detailCell(r, 'automatic'),
    id: (r) => r.id,
    media: (r) =>
      Array.isArray(r.details['media'])
        ? (r.details['media'] as { name?: string }[]).map((m) => m.name ?? '').join('; ')
        : null,
  },
  voicemails: {
    ...item,
    duration_seconds: (r) => detailCell(r, 'duration'),
    transcript: (r) => detailCell(r, 'transcription'),
    call_id: (r) => detailCell(r, 'callId'),
    id: (r) => detailCell(r, 'voicemailId'),
  },
  fax: {
    ...item,
    pages: (r) => detailCell(r, 'pages'),
    state: (r) => detailCell(r, 'state'),
    name: (r) => detailCell(r, 'name'),
    id: (r) => r.id,
  },
};
const instants = new Set(['at', 'started_at', 'answered_at', 'ended_at', 'read_at']);

/**
 * The chosen columns in the chosen order, each once. Titles of timestamps name the time zone.
 * `hidden`: the requester may not see contact details, so the other party's number is masked with
 * dots.
 */
export function columnsFor(
  entity: ExportEntity,
  chosen: readonly string[],
  tz: string,
  maskNumbers: boolean,
): ExportColumn<ExportRow>[] {
  const titles = exportColumns[entity] as Record<string, string>;
  const cellByKey: Record<string, (r: ExportRow) => Cell> = {
    ...cells[entity],
    ...(maskNumbers && {
      party: (r: ExportRow) => (r.party.startsWith('+') ? maskNumber(r.party) : r.party),
    }),
  };
  return [...new Set(chosen)].flatMap((key) =>
    cellByKey[key] && titles[key]
      ? [
          {
            key,
            title: instants.has(key) ? `${titles[key]} (${tz})` : titles[key],
            cell: cellByKey[key],
          },
        ]
      : [],
  );
}
const sourceFactOf: Record<string, CallFact> = {
  over_30: 'duration_seconds',
  over_90: 'duration_seconds',
  over_120: 'duration_seconds',
  over_300: 'duration_seconds',
  value: 'value_cents',
};
const isFact = (key: string): key is CallFact => (callFacts as readonly string[]).includes(key);
/** What an export of these columns must read beside its items; nothing more is read. */
export function requiredJoins(entity: ExportEntity, chosen: readonly string[]): RequiredJoins {
  const includes = (key: string) => entity === 'calls' && chosen.includes(key);
  return {
    call:
      entity === 'calls'
        ? [...new Set(chosen.map((key) => sourceFactOf[key] ?? key).filter(isFact))]
        : [],
    tags: includes('tags'),
    transcript: includes('transcript'),
    recorded: includes('recorded'),
    visits: chosen.includes('visits'),
  };
}
