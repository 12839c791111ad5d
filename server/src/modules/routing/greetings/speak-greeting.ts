import type { Answer, Body, greetings as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { telephoneSound, type TelephoneSound } from './telephone-sound.ts';
import { deleteSoundJob } from '../job-kinds.ts';

/** A preview exists for an hour (A7.4). */
const previewTtlSeconds = 3600;

/** POST /greetings/speak: synthesizes text as a preview, without saving a greeting. */
export async function speakGreeting(
  ctx: Ctx,
  { content, voice, language }: Body<typeof contract.speakGreeting>,
): Promise<Answer<typeof contract.speakGreeting>> {
  const sound = await synthesizeSpeech(ctx, content, voice ?? null, language ?? null);
  return ctx.transaction(async (t) => {
    const file = await t.files.save(
      t.tx,
      t.companyId,
      { name: 'spoken.wav', contentType: 'audio/wav', bytes: sound.wav, purpose: 'spoken' },
      t.now,
    );
    await t.enqueue(
      deleteSoundJob,
      { companyId: t.companyId, fileId: file.id },
      { runAt: new Date(t.now.getTime() + previewTtlSeconds * 1000) },
    );
    return {
      data: {
        url: t.files.signUrl(t.companyId, file.id, t.now, previewTtlSeconds),
        duration_ms: sound.durationMs,
      },
    };
  });
}

/**
 * Synthesizes text; slow, so never call it in a transaction. Throws invalid for an unknown voice or
 * text without sound, greeting.not_spoken when the engine fails.
 */
export async function synthesizeSpeech(
  ctx: Ctx,
  content: string,
  voice: string | null,
  language: string | null,
): Promise<TelephoneSound> {
  if (voice !== null && !(await ctx.gateways.speech.voices()).some((one) => one.id === voice))
    invalid({ voice: 'Choose a voice from the list.' });
  const speech = await ctx.gateways.speech
    .synthesize({
      text: content,
      ...(voice === null ? {} : { voice }),
      ...(language === null ? {} : { language }),
    })
    .catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'could not synthesize speech');
      return fail('greeting.not_spoken');
    });
  const sound = telephoneSound(speech.pcm16k, 16_000);
  return 'why' in sound ? invalid({ content: 'Enter text that can be read aloud.' }) : sound;
}
