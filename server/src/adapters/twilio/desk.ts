import type { Log } from '../../platform/log.ts';
import type { TwilioSettings } from '../../platform/settings.ts';
import type { Hearing } from '../../ports/carrier.ts';
import type { LegBook, BookedLeg } from '../leg-book.ts';
import type { Api } from './api.ts';
import type { Doing } from '../doing.ts';
import type { Turns } from '../turns.ts';
import { documentOf, type Places } from './twiml.ts';

/** What the parts of this adapter share. */
export interface Desk {
  settings: TwilioSettings;
  publicUrl: string;
  api: Api;
  book: LegBook<Doing>;
  places: Places;
  log: Log;
  /** Where our own exchange is dialled for a line; null: nowhere. */
  lineAddress: (line: string) => string | null;
  /** Whom to tell what no webhook will say. Null until the process listens. */
  hear: Hearing | null;
  turns: Turns;
  now(): Date;
}

export const pathOf = (what: string) => `/carriers/twilio/${what}`;

/** The addresses in our documents. They carry our own names, so a report leads home even when nothing was written down yet. */
export function placesOf(publicUrl: string, fileAddress: (name: string) => string): Places {
  const at = (what: string, query: Record<string, string>) =>
    `${publicUrl}${pathOf(what)}?${new URLSearchParams(query)}`;
  return {
    voice: (leg) => at('voice', { leg }),
    gather: (leg, command) => at('voice/gather', { leg, command }),
    recording: (leg, recording) => at('voice/recording', { leg, recording }),
    dial: (leg) => at('voice/dial', { leg }),
    file: fileAddress,
    sound: (name) => `${publicUrl}${pathOf(`sounds/${name}.wav`)}`,
  };
}

/** The document of a leg as it should be now. */
export async function documentFor(
  desk: Desk,
  row: BookedLeg<Doing>,
  doing: Doing = row.doing,
): Promise<string> {
  const room = doing.kind === 'keys' ? doing.then : doing;
  const coach = room.kind === 'room' && room.coach ? await desk.book.read(room.coach) : undefined;
  return documentOf(
    doing,
    {
      leg: row.leg,
      inbound: row.inbound,
      answered: row.facts['picked'] === true,
      coachRef: coach?.ref ?? null,
    },
    desk.places,
  );
}
