/**
 * A process of its own for a speech model: it takes whole processors and hundreds of megabytes, and
 * native code that fails must not end the server. In: `{ model, threads }` once, then
 * `{ id, language, sampleRate, samples }` (-1 to 1). Out: `{ id, said }` or `{ id, failed }`.
 */
import { setPriority } from 'node:os';
import sherpa from 'sherpa-onnx-node';

/** Calls and requests go first. */
const LOW_PRIORITY = 10;
setPriority(LOW_PRIORITY);

let config = null;
let recognizer = null;
let recognizerLanguage = null;

/** Only Whisper wants to know the language, when it is loaded. */
async function recognizerFor(language) {
  const isWhisper = config.model.kind === 'whisper';
  if (recognizer && (!isWhisper || language === recognizerLanguage)) return recognizer;
  const { kind, files, tokens } = config.model;
  recognizer = await sherpa.OfflineRecognizer.createAsync({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      [kind]: isWhisper ? { ...files, language, task: 'transcribe' } : files,
      tokens,
      numThreads: config.threads,
      provider: 'cpu',
      debug: 0,
    },
  });
  recognizerLanguage = language;
  return recognizer;
}

async function recognize({ language, sampleRate, samples }) {
  const engine = await recognizerFor(language);
  const stream = engine.createStream();
  stream.acceptWaveform({ sampleRate, samples });
  return engine.decodeAsync(stream);
}

process.on('message', (message) => {
  if (message.model) {
    config = message;
    return;
  }
  recognize(message).then(
    (said) => process.send({ id: message.id, said }),
    (error) => process.send({ id: message.id, failed: String(error?.message ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));
