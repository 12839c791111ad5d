import { sql } from 'kysely';
import { z } from 'zod';
import {
  presetBlocks,
  usFederalHolidays,
  defaultHours,
  type HoursBlock,
} from '#contract/routing/schedules/rules';
import type { Tx } from '../src/platform/db.ts';
import { jobKind } from '../src/platform/job-kind.ts';
import { runJob } from '../src/platform/jobs.ts';
import { resample } from '../src/platform/audio/resample.ts';
import { writeWav } from '../src/platform/audio/wav.ts';

const telephoneRate = 8000;
const greetings = (name: string) =>
  [
    {
      name: 'Holiday hours',
      type: 'after_hours',
      voice: 'grace',
      content: `${name} is closed for the holiday. We’ll be back on the next business day at nine. Thank you for your patience.`,
    },
    {
      name: 'Leave a message',
      type: 'voicemail',
      voice: 'ava',
      content: `You’ve reached ${name}. Please leave your name, number and a short message after the tone. We’ll call you back the same day.`,
    },
    {
      name: 'This call is recorded',
      type: 'recording_notice',
      voice: 'henry',
      content: 'This call may be recorded for quality purposes.',
    },
  ] as const;

/**
 * Business hours with the holidays of this year and the next, and a few greetings that the worker
 * synthesizes after the start.
 */
export async function enqueueGreetings(
  tx: Tx,
  company: { id: number; trade: { name: string } },
  timezone: string,
  now: Date,
): Promise<void> {
  const year = now.getUTCFullYear();
  await tx
    .insertInto('schedule')
    .values({
      company_id: company.id,
      user_id: null,
      timezone,
      preset: 2,
      blocks: JSON.stringify(presetBlocks(2, [])),
      custom_blocks: null,
      hours: JSON.stringify(defaultHours),
      voicemail: false,
      updated_at: now,
      exceptions: JSON.stringify(
        [...usFederalHolidays(year), ...usFederalHolidays(year + 1)].toSorted((a, b) =>
          a.from.localeCompare(b.from),
        ),
      ),
    })
    .execute();
  for (const [i, greeting] of greetings(company.trade.name).entries()) {
    await sql`select enqueue_job('demo.greeting',
        ${JSON.stringify({ companyId: company.id, ...greeting, at: new Date(now.getTime() - (30 - i) * 86_400_000) })}::json,
        'demo', null, 5, null, null)`.execute(tx);
  }
}

/** A person's own working hours, Monday to Friday, 8 to 6. */
export async function seedHoursOf(
  tx: Tx,
  companyId: number,
  userId: number,
  timezone: string,
  now: Date,
): Promise<void> {
  const blocks = JSON.stringify([
    {
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      times: [{ start: '08:00', end: '18:00' }],
    } satisfies HoursBlock,
  ]);
  await tx
    .insertInto('schedule')
    .values({
      ...{ company_id: companyId, user_id: userId, timezone, preset: 4, updated_at: now },
      ...{ blocks, custom_blocks: blocks },
    })
    .execute();
}

const greetingPlan = z.object({
  companyId: z.number(),
  name: z.string(),
  type: z.string(),
  voice: z.string(),
  content: z.string(),
  at: z.coerce.date(),
});

export const jobs = [
  runJob(
    jobKind('demo.greeting', greetingPlan, {
      queue: 'default',
      timeoutSeconds: 600,
      overlap: () => 'demo',
      retries: 4,
    }),
    async (ctx, { companyId, name, type, voice, content, at }) => {
      const { pcm16k } = await ctx.gateways.speech.synthesize({ text: content, voice });
      const sound = resample(pcm16k, 16_000, telephoneRate);
      await ctx.transaction(async ({ tx, files }) => {
        // The name exists already, because the job ran twice.
        if (
          await tx
            .selectFrom('greeting')
            .select('id')
            .where('company_id', '=', companyId)
            .where('name', '=', name)
            .executeTakeFirst()
        )
          return;
        const file = await files.save(
          tx,
          companyId,
          {
            name: `${name}.wav`,
            contentType: 'audio/wav',
            bytes: writeWav({ sampleRate: telephoneRate, channels: [sound] }),
            purpose: 'greeting',
          },
          at,
        );
        await tx
          .insertInto('greeting')
          .values({
            company_id: companyId,
            name,
            type,
            content,
            voice,
            language: null,
            file_id: file.id,
            duration_ms: Math.round((sound.length * 1000) / telephoneRate),
            source: 'tts',
            is_default: false,
            created_at: at,
            updated_at: at,
          })
          .execute();
      });
    },
  ),
];
