/** Which kind of speech model a folder holds, as sherpa-onnx publishes them. */
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The `modelConfig` of sherpa-onnx, without threads. Paths are absolute. */
export interface SpeechModel {
  kind: 'transducer' | 'whisper' | 'moonshine' | 'paraformer' | 'senseVoice' | 'nemoCtc';
  files: Record<string, string>;
  tokens: string;
}

/** A model's own description lies at the end of its file. */
const DESCRIPTION_BYTES = 64 * 1024;

/**
 * The model of a folder. Where a file comes in two sizes, the smaller one (`int8`) is used.
 * @returns `missing`: what the folder lacks, as a sentence
 */
export function findModel(folder: string): SpeechModel | { missing: string } {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return { missing: 'There’s no such folder.' };
  const names = readdirSync(folder).toSorted();
  const file = (part: string, ending = '.onnx'): string | undefined => {
    const found = names.filter((name) => name.endsWith(ending) && has(name, part));
    const name = found.find((one) => one.includes('int8')) ?? found[0];
    return name && join(folder, name);
  };
  const tokens = file('tokens', '.txt');
  if (!tokens) return { missing: 'It has no tokens.txt.' };
  const [encoder, decoder, joiner] = ['encoder', 'decoder', 'joiner'].map((part) => file(part));
  if (encoder && decoder && joiner)
    return { kind: 'transducer', files: { encoder, decoder, joiner }, tokens };
  if (encoder && decoder) return { kind: 'whisper', files: { encoder, decoder }, tokens };
  const moonshine = {
    preprocessor: file('preprocess'),
    encoder: file('encode'),
    uncachedDecoder: file('uncached_decode'),
    cachedDecoder: file('cached_decode'),
  };
  if (Object.values(moonshine).every(Boolean))
    return { kind: 'moonshine', files: moonshine as Record<string, string>, tokens };
  const model = file('model');
  return model
    ? { kind: singleFileKind(model), files: { model }, tokens }
    : { missing: 'It has no model: model.onnx, or encoder and decoder.' };
}

/** Whether a file's name says it is this part: `tiny.en-encoder.int8.onnx` is the encoder. */
const has = (name: string, part: string): boolean =>
  new RegExp(`(^|[-.])${part}([-.]|$)`).test(name);

function singleFileKind(path: string): SpeechModel['kind'] {
  const size = statSync(path).size;
  const end = Buffer.alloc(Math.min(size, DESCRIPTION_BYTES));
  const handle = openSync(path, 'r');
  try {
    readSync(handle, end, 0, end.length, size - end.length);
  } finally {
    closeSync(handle);
  }
  const description = end.toString('latin1');
  if (description.includes('sense_voice')) return 'senseVoice';
  // The library tells all kinds of CTC models apart by their descriptions.
  return description.includes('paraformer') ? 'paraformer' : 'nemoCtc';
}
