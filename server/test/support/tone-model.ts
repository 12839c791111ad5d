/**
 * A speech model of a few bytes in the published file format (ONNX), which hears two tones as the words
 * "low" and "high". With it the real engine is tried without a download of hundreds of megabytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Frequencies that the model hears as "low" and "high". Hz. */
export const [lowHz, highHz] = [330, 1500];
/** The bands of its 80 in which these lie, and how loud they must be. */
const [lowBand, highBand, silence] = [12, 40, -12];

type Field = [number: number, value: number | string | Buffer];
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
/** A message in the wire format of protocol buffers. */
const message = (...fields: Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) =>
      typeof value === 'number'
        ? [varint(number * 8), varint(value)]
        : [varint(number * 8 + 2), varint(Buffer.byteLength(value)), Buffer.from(value)],
    ),
  );

const [floats, wholeNumbers] = [1, 7];
const shaped = (name: string, type: number, ...shape: (number | string)[]): Buffer => {
  const dimensions = shape.map((size): Field => [
    1,
    typeof size === 'string' ? message([2, size]) : message([1, size]),
  ]);
  return message([1, name], [2, message([1, message([1, type], [2, message(...dimensions)])])]);
};
const constant = (name: string, shape: number[], values: Float32Array): Buffer =>
  message(
    ...shape.map((size): Field => [1, size]),
    [2, floats],
    [8, name],
    [9, Buffer.from(values.buffer)],
  );
const step = (name: string, inputs: string[], output: string, attribute?: Buffer): Field => [
  1,
  message(
    ...inputs.map((input): Field => [1, input]),
    [2, output],
    [4, name],
    ...(attribute ? [[5, attribute] as Field] : []),
  ),
];
const describe = (key: string, value: string): Field => [14, message([1, key], [2, value])];

/** Writes the model into a folder, as models are published. */
export function writeToneModel(folder: string): void {
  const weights = new Float32Array(80 * 3);
  weights[lowBand * 3] = 1;
  weights[highBand * 3 + 1] = 1;
  const graph = message(
    step(
      'Transpose',
      ['audio_signal'],
      'bands',
      message([1, 'perm'], [20, 7], [8, 0], [8, 2], [8, 1]),
    ),
    step('MatMul', ['bands', 'weights'], 'weighed'),
    step('Add', ['weighed', 'limits'], 'scores'),
    step('LogSoftmax', ['scores'], 'logprobs', message([1, 'axis'], [20, 2], [3, 2])),
    [2, 'tones'],
    [5, constant('weights', [80, 3], weights)],
    [5, constant('limits', [3], Float32Array.of(0, 0, silence))],
    [11, shaped('audio_signal', floats, 'n', 80, 't')],
    [11, shaped('length', wholeNumbers, 'n')],
    [12, shaped('logprobs', floats, 'n', 't', 3)],
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'model.onnx'),
    message(
      [1, 8],
      [7, graph],
      [8, message([1, ''], [2, 13])],
      describe('model_type', 'EncDecCTCModelBPE'),
      describe('vocab_size', '2'),
      describe('subsampling_factor', '1'),
      describe('normalize_type', ''),
    ),
  );
  writeFileSync(join(folder, 'tokens.txt'), '▁low 0\n▁high 1\n<blk> 2\n');
}
