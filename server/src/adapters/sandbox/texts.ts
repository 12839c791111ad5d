/**
 * The sandbox's messaging carrier: an external system with its own tables (schema `sandbox`). It
 * accepts one text a key, reports by signed webhook, and can fail like a real carrier. What it has
 * yet to report is a job, so nothing is lost when a process dies.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import type {
  DeliveryReport,
  IncomingText,
  MessagingCarrier,
  OutgoingText,
  SendResult,
} from '../../gateways/messaging.ts';
import { emergencyMessage, isEmergency } from '../../exchange/phone-number.ts';
import { createTextAcceptor, type AcceptText } from './accept-texts.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';
import { isSignedBy } from './webhook.ts';
import type { CarrierWebhook } from '../../gateways/carrier.ts';
import { parseWebhookJson } from '../../platform/http/request-fields.ts';

// The system role: the simulated carrier’s own tables have no company.

const carrierAway: SendResult = {
  state: 'refused',
  code: 'carrier_away',
  reason: 'The sandbox carrier is offline.',
  permanent: false,
};
const receiptReasons: Record<string, string> = {
  opted_out: 'The recipient opted out at the carrier.',
  landline: 'The number is a landline.',
  blocked: 'The carrier filtered the text.',
  unreachable: 'The phone is switched off.',
  rejected: 'The carrier rejected the text.',
};

/** The sandbox as messaging carrier. All it does fails while the outage fault is on. */
export function sandboxTexts(db: Db): MessagingCarrier {
  const acceptText = createTextAcceptor(db);
  return {
    name: 'sandbox',
    isIdempotent: true,
    send: (text) => sendText(acceptText, text),
    findByKey: async (key) => {
      if (currentFaults().outage) throw new Error('The sandbox carrier is offline.');
      const { rows } = await sql<{
        id: number;
        state: string;
      }>`select id, state from sandbox.text where key = ${key}`.execute(db.unscoped);
      const row = rows[0];
      return row
        ? {
            providerId: providerId(row.id),
            state: row.state === 'accepted' ? 'sent' : (row.state as DeliveryReport['state']),
          }
        : null;
    },
    fetchMedia: async (url) => {
      if (currentFaults().outage) throw new Error('The sandbox carrier is offline.');
      const id = /\/sandbox\/pictures\/([0-9a-f-]{36})$/.exec(url)?.[1];
      return id ? pictureBytes(db.unscoped, id) : null;
    },
  };
}

/** Where received texts and receipts of sent ones are posted. */
export const textWebhooks = (secret: string): CarrierWebhook[] =>
  ['texts', 'receipts'].map((kind) => ({
    path: `/carriers/sandbox/${kind}`,
    handle: async ({ body, headers }, sink) => {
      if (!isSignedBy(secret, body, headers)) return { status: 403 };
      const { texts, reports } = parseWebhook(body);
      await sink.onTexts(texts ?? []);
      await sink.onDeliveryReports(reports ?? []);
      return { status: 204 };
    },
  }));

/** What cannot be parsed reports nothing: the same bytes would fail again. */
function parseWebhook(body: Buffer): TextWebhook {
  try {
    return textWebhook.parse(parseWebhookJson(body));
  } catch {
    return { texts: [], reports: [] };
  }
}

const state = z.enum(['sent', 'delivered', 'undelivered', 'failed']);
const textWebhook = z.object({
  texts: z
    .array(
      z.object({
        id: z.string(),
        from: z.string(),
        to: z.string(),
        text: z.string(),
        at: z.number(),
        media: z.array(z.object({ url: z.string(), contentType: z.string(), name: z.string() })),
      }),
    )
    .default([]),
  reports: z
    .array(
      z.object({
        id: z.string(),
        providerId: z.string(),
        key: z.string().nullable(),
        state,
        code: z.string().nullable(),
        reason: z.string().nullable(),
        at: z.number(),
      }),
    )
    .default([]),
});
export interface TextWebhook {
  texts?: IncomingText[];
  reports?: DeliveryReport[];
}
/** The carrier's id of a text. */
export const providerId = (id: number) => `sbt-${id}`;

async function sendText(acceptText: AcceptText, text: OutgoingText): Promise<SendResult> {
  const faults = currentFaults();
  if (faults.outage || shouldFail(faults.errorRate)) return carrierAway;
  const hangs = shouldFail(faults.hangRate);
  if (hangs && shouldFail(0.5)) return neverAnswer();
  if (isEmergency(text.to))
    return { state: 'refused', code: 'rejected', reason: emergencyMessage, permanent: true };
  const accepted = await acceptText(
    text,
    faults.lateReceiptsMs + (shouldFail(faults.reorderRate) ? 400 : 0),
  );
  if ('refuses' in accepted)
    return {
      state: 'refused',
      code: accepted.refuses,
      reason: receiptReasons[accepted.refuses] ?? 'The carrier rejected the text.',
      permanent: true,
    };
  if (hangs) return neverAnswer();
  return shouldFail(faults.dropAfterEffectRate)
    ? { state: 'unknown', reason: 'The connection dropped before the response.' }
    : { state: 'accepted', providerId: providerId(accepted.id) };
}

/** Answers later than any caller waits. */
const neverAnswer = () =>
  new Promise<SendResult>((resolve) => {
    setTimeout(
      () => resolve({ state: 'unknown', reason: 'The sandbox carrier never responded.' }),
      15_000,
    ).unref();
  });

/** Null when there is no such picture. */
export async function pictureBytes(
  db: Tx,
  id: string,
): Promise<{ bytes: Buffer; contentType: string; name: string } | null> {
  const { rows } = await sql<{
    bytes: Buffer;
    content_type: string;
    name: string;
  }>`select bytes, content_type, name from sandbox.picture where id = ${id}`.execute(db);
  return rows[0]
    ? { bytes: rows[0].bytes, contentType: rows[0].content_type, name: rows[0].name }
    : null;
}
/** Null for an unknown code. */
export const receiptReason = (code: string) => receiptReasons[code] ?? null;
