/** Greetings as prompts of the engine. Pure. */
import type { Prompt } from '../../../gateways/voice.ts';

interface GreetingForFlow {
  id: number;
  name: string;
  type: string;
  content: string;
  file_id: number;
  duration_ms: number;
  is_default: boolean;
}

/** `company:file`, so that a file id alone cannot play another company's greeting. */
export const soundFileId = (companyId: number, fileId: number): string => `${companyId}:${fileId}`;

/** The prompt that plays a greeting. */
const greetingPrompt = (companyId: number, greeting: GreetingForFlow): Prompt => ({
  kind: 'play',
  fileId: soundFileId(companyId, greeting.file_id),
  name: greeting.name,
  seconds: Math.ceil(greeting.duration_ms / 1000),
  ...(greeting.content === '' ? {} : { text: greeting.content }),
});

/** The greetings of a flow by id, and the default of a type; null = deleted, or no default. */
export interface GreetingLibrary {
  byId(id: number | null | undefined): Prompt[] | null;
  defaultOf(type: string): Prompt[] | null;
  /** The file id of a hold music id; null for built-in music (A29). */
  music(id: number | null): string | null;
}

/**
 * The company's greetings as the engine looks them up; each lookup gives null when there is none.
 */
export function greetingLibrary(
  companyId: number,
  greetings: readonly GreetingForFlow[],
): GreetingLibrary {
  const byId = new Map(greetings.map((one) => [one.id, one]));
  return {
    byId: (id) => {
      const found = id ? byId.get(id) : undefined;
      return found === undefined ? null : [greetingPrompt(companyId, found)];
    },
    defaultOf: (type) => {
      const found = greetings.find((one) => one.is_default && one.type === type);
      return found === undefined ? null : [greetingPrompt(companyId, found)];
    },
    music: (id) => {
      const found = id === null ? undefined : byId.get(id);
      return found?.type === 'hold' ? soundFileId(companyId, found.file_id) : null;
    },
  };
}

/** "(415) 555-2368 Front desk (voicemail), … and 2 more". */
export function describeUses(places: readonly { label: string; as: string }[]): string {
  const shown = places.slice(0, 3).map((one) => `${one.label} (${one.as})`);
  const rest = places.length - shown.length;
  return rest > 0
    ? `${shown.join(', ')} and ${rest} more`
    : shown.length < 2
      ? shown.join('')
      : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
