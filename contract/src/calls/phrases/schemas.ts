import { z } from 'zod';
import { id, instant, one } from '../../schemas.ts';
import { phraseLimits, phraseSides } from './rules.ts';

const phrase = z
  .string()
  .trim()
  .min(2, 'Use at least two characters.')
  .max(phraseLimits.length, `At most ${phraseLimits.length} characters.`)
  .regex(/[\p{L}\p{N}]/u, 'Enter a word.');

/** What is looked for in transcripts. */
export const phrasesWanted = z.object({
  phrases: z
    .array(phrase)
    .min(1, 'Enter at least one phrase.')
    .max(phraseLimits.phrases, `At most ${phraseLimits.phrases} phrases.`)
    .meta({
      description:
        'Words in their order, in any case and accents. `book*` finds every word with that beginning',
    }),
  said_by: z.enum(phraseSides).default('either').meta({
    description: 'Who must say one. Recordings in which both share a channel only match `either`',
  }),
  at_least: z
    .number()
    .int()
    .min(1)
    .max(phraseLimits.times)
    .default(1)
    .meta({ description: 'How often, all phrases together' }),
});
export type PhrasesWanted = z.infer<typeof phrasesWanted>;

export const phraseListName = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(60, 'At most 60 characters.');

export const phraseList = phrasesWanted.extend({
  id,
  name: z.string(),
  alert: z.boolean(),
  calls: z.number().meta({ description: 'Calls of the last 30 days that have it' }),
  created_at: instant,
  updated_at: instant,
});

/** A phrase that was said in a call. Times are in the recording it was said in. */
const spokenPhrase = z.object({
  phrase: z.string(),
  speaker: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  start_ms: z.number(),
  end_ms: z.number(),
  recording: z.enum(['call', 'voicemail']),
});
export type SpokenPhrase = z.infer<typeof spokenPhrase>;

/** The phrases of a list that were said in a call. */
export const spokenList = z.object({
  list: z.object({ id, name: z.string() }),
  spoken: z.array(spokenPhrase),
});

/** What a dry run found, as every dry run of this kind answers. */
export const dryRunOf = <T extends z.ZodType>(found: T) =>
  one(
    z.object({
      since: instant,
      total: z.number().meta({ description: 'Calls that match' }),
      is_partial: z
        .boolean()
        .meta({ description: 'Only the newest of these days’ transcripts were read' }),
      calls: z.array(found).meta({ description: 'The newest 20 of them' }),
    }),
  );
