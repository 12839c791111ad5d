import { greetings as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Upload } from '../../../platform/routes.ts';
import type { Ctx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { readUpload } from './add-greeting.ts';
import { presentDetail } from './present.ts';
import { synthesizeSpeech } from './speak-greeting.ts';
import {
  patchGreeting,
  greetingRow,
  lockGreeting,
  clearDefault,
  greetingUses,
  type GreetingValues,
} from './store.ts';

/** A call that began with the old sound may still play it: it goes a day later. */
const oldSoundTtlMs = 86_400_000;

/**
 * PUT /greetings/{id}: what is left out stays. New words of a greeting that is read aloud are read anew; of a recording
 * they are only what somebody wrote down of it.
 */
export async function updateGreeting(
  ctx: Ctx,
  id: number,
  patch: Body<typeof contract.updateGreeting>,
  files: readonly Upload[],
): Promise<Answer<typeof contract.updateGreeting>> {
  const before = (await ctx.transaction((t) => greetingRow(t.tx, t.companyId, id))) ?? notFound();
  const upload = files.find((one) => one.field === 'file');
  const content = patch.content ?? before.content;
  const voice = patch.voice === undefined ? before.voice : patch.voice;
  const language = patch.language === undefined ? before.language : patch.language;
  const said = content !== before.content || voice !== before.voice || language !== before.language;
  const readAgain = upload === undefined && before.source === 'tts' && said;
  if (readAgain && content === '')
    invalid({ content: 'Enter the text to read aloud, or choose a file.' });
  const sound =
    upload !== undefined
      ? await readUpload(upload)
      : readAgain
        ? await synthesizeSpeech(ctx, content, voice, language)
        : null;

  return ctx.transaction(async (t) => {
    const now = (await lockGreeting(t.tx, t.companyId, id)) ?? notFound();
    const type = patch.type ?? (now.type as contract.GreetingType);
    const isDefault = patch.is_default ?? (type === now.type && now.is_default);
    if (isDefault && !(now.is_default && type === now.type))
      await clearDefault(t.tx, t.companyId, type);
    const values: Partial<GreetingValues> = {
      name: patch.name ?? now.name,
      type,
      content,
      voice: upload === undefined ? voice : null,
      language,
      is_default: isDefault,
    };
    if (sound !== null) {
      const file = await t.files.save(
        t.tx,
        t.companyId,
        {
          name: `${values.name}.wav`,
          contentType: 'audio/wav',
          bytes: sound.wav,
          purpose: 'greeting',
        },
        t.now,
      );
      Object.assign(values, {
        file_id: file.id,
        duration_ms: sound.durationMs,
        ...(upload === undefined ? {} : { source: patch.source ?? 'upload' }),
      });
      await t.enqueue(
        'routing.forgetSound',
        { companyId: t.companyId, fileId: now.file_id },
        { runAt: new Date(t.now.getTime() + oldSoundTtlMs) },
      );
    }
    await patchGreeting(t.tx, t.companyId, id, values, t.now);
    await audit(t, 'greeting.updated', `greeting:${id}`, {
      before: { name: now.name, type: now.type, content: now.content },
      after: { name: values.name, type, content },
    });
    await t.publish(contract.greetingChanged, {
      companyId: t.companyId,
      greetingId: id,
      change: 'updated',
    });
    const row = await greetingRow(t.tx, t.companyId, id);
    return { data: presentDetail(t, row!, await greetingUses(t.tx, t.companyId, [id])) };
  });
}
