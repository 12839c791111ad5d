import type { Answer, greetings as contract } from '#contract';
import type { Http } from '../../../platform/answer.ts';
import type { Ctx } from '../../../platform/context.ts';
import { missing } from '../../../platform/refuse.ts';
import { spoken } from './speak-greeting.ts';

/** GET /greetings/voices: who can read aloud here. */
export async function listVoices(ctx: Ctx): Promise<Answer<typeof contract.listVoices>> {
  const { speech } = ctx.ports;
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
/** A dozen voices at 50 kB: made once a process. */
const made = new Map<string, Promise<Buffer>>();

/** One sentence in a voice, in the voice's own language. */
export async function voiceSample(ctx: Ctx, id: string, { reply }: Http): Promise<void> {
  const voice = (await ctx.ports.speech.voices()).find((one) => one.id === id) ?? missing();
  const key = `${ctx.ports.speech.engine} ${id}`;
  const sound =
    made.get(key) ??
    spoken(ctx, samples[voice.language.slice(0, 2)] ?? samples['en'] ?? '', id, null).then(
      ({ wav }) => wav,
    );
  made.set(key, sound);
  sound.catch(() => made.delete(key));
  await reply
    .headers({ 'content-type': 'audio/wav', 'cache-control': 'private, max-age=86400' })
    .send(await sound);
}
