import type { Answer, greetings as contract } from '#contract';
import type { Http } from '../../../platform/routes.ts';
import type { Ctx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { synthesizeSpeech } from './speak-greeting.ts';

/** GET /greetings/voices: the voices of the speech engine. */
export async function listVoices(ctx: Ctx): Promise<Answer<typeof contract.listVoices>> {
  const { speech } = ctx.gateways;
  return {
    data: (await speech.voices()).map(({ id, label, language, gender }) => ({
      id,
      name: label,
      language,
      gender,
      engine: speech.engine,
      sample_url: `/api/greetings/voices/${id}/sample`,
    })),
  };
}

const samples: Record<string, string> = {
  en: 'Thank you for calling. How can we help you today?',
  es: 'Gracias por llamar. ¿En qué podemos ayudarle?',
  fr: 'Merci de votre appel. Comment pouvons-nous vous aider ?',
  de: 'Danke für Ihren Anruf. Wie können wir Ihnen helfen?',
};
/** Synthesized once per process: a dozen voices at 50 kB. */
const sampleCache = new Map<string, Promise<Buffer>>();

/** A sample sentence in a voice and its language. `not_found` for an unknown voice. */
export async function voiceSample(ctx: Ctx, id: string, { reply }: Http): Promise<void> {
  const voice = (await ctx.gateways.speech.voices()).find((one) => one.id === id) ?? notFound();
  const key = `${ctx.gateways.speech.engine} ${id}`;
  const sound =
    sampleCache.get(key) ??
    synthesizeSpeech(
      ctx,
      samples[voice.language.slice(0, 2)] ?? samples['en'] ?? '',
      id,
      null,
    ).then(({ wav }) => wav);
  sampleCache.set(key, sound);
  sound.catch(() => sampleCache.delete(key));
  await reply
    .headers({ 'content-type': 'audio/wav', 'cache-control': 'private, max-age=86400' })
    .send(await sound);
}
