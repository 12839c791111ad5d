import type { Log } from '../../platform/log.ts';
import type { TwilioSettings } from './settings.ts';
import type { CarrierEventSink } from '../../gateways/carrier.ts';
import type { CarrierLegStore, CarrierLeg } from '../shared/carrier-leg-store.ts';
import type { TwilioApi } from './api.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import type { LegMutex } from '../shared/leg-mutex.ts';
import { buildTwiml, type CallbackUrls } from './twiml.ts';

/** What the parts of this adapter share. */
export interface TwilioClient {
  settings: TwilioSettings;
  publicUrl: string;
  api: TwilioApi;
  store: CarrierLegStore<LegInstruction>;
  callbacks: CallbackUrls;
  log: Log;
  /** Where our own exchange is dialled for a line; null: nowhere. */
  interconnectUri: (line: string, at?: string) => string | null;
  /** Whom to tell what no webhook will say. Null until the process listens. */
  sink: CarrierEventSink | null;
  legMutex: LegMutex;
  now(): Date;
}

/** The route of a Twilio webhook. */
export const webhookPath = (name: string) => `/carriers/twilio/${name}`;

/** The addresses in our documents. They carry our own names, so a report leads home even when nothing was written down yet. */
export function callbackUrls(
  publicUrl: string,
  fileAddress: (name: string) => string,
): CallbackUrls {
  const at = (what: string, query: Record<string, string>) =>
    `${publicUrl}${webhookPath(what)}?${new URLSearchParams(query)}`;
  return {
    voice: (leg) => at('voice', { leg }),
    gather: (leg, command) => at('voice/gather', { leg, command }),
    recording: (leg, recording) => at('voice/recording', { leg, recording }),
    dial: (leg) => at('voice/dial', { leg }),
    file: fileAddress,
    sound: (name) => `${publicUrl}${webhookPath(`sounds/${name}.wav`)}`,
  };
}

/** The document of a leg as it should be now. */
export async function legTwiml(
  client: TwilioClient,
  row: CarrierLeg<LegInstruction>,
  instruction: LegInstruction = row.doing,
): Promise<string> {
  const room = instruction.kind === 'keys' ? instruction.then : instruction;
  const coach =
    room.kind === 'room' && room.coach ? await client.store.read(room.coach) : undefined;
  return buildTwiml(
    instruction,
    {
      leg: row.leg,
      inbound: row.inbound,
      answered: row.facts['picked'] === true,
      coachRef: coach?.ref ?? null,
    },
    client.callbacks,
  );
}
