/**
 * Random waits before database statements, in tests and in the product they start, which reveals
 * races. `NODE_OPTIONS="--import $PWD/tools/chaos-latency.mjs" npx vitest run --project server
 * [file]`. WAITS_SHARE (0.08 of the statements) and WAITS_MS (at most 120) say how many and how
 * long; the beginning of a transaction waits three times as often (WAITS_BEGIN) and four times as
 * long, so that what came second goes first. `npm run test:faults random-latency` runs it.
 */
import pg from 'pg';

const share = Number(process.env.WAITS_SHARE ?? 0.08);
const beginShare = Number(process.env.WAITS_BEGIN ?? 3 * share);
const longestMs = Number(process.env.WAITS_MS ?? 120);
/**
 * Random, but the same in each process for the same WAITS_SEED; when statements are sent still
 * depends on the machine.
 */
let state = Number(process.env.WAITS_SEED ?? Math.floor(Math.random() * 1_000_000)) % 2_147_483_648;
const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
const ask = pg.Client.prototype.query;
const queues = new WeakMap();

pg.Client.prototype.query = function query(...args) {
  const begins = /^begin|^start transaction/i.test(
    typeof args[0] === 'string' ? args[0] : (args[0]?.text ?? ''),
  );
  const waits = random() < (begins ? beginShare : share);
  // The order within one connection stays. Streams (COPY, cursors) are passed through unchanged.
  if (typeof args[0]?.submit === 'function' || (!waits && !queues.has(this)))
    return ask.apply(this, args);
  const turn = (queues.get(this) ?? Promise.resolve()).then(
    () =>
      new Promise((resolve) => {
        setTimeout(resolve, waits ? random() * (begins ? 4 * longestMs : longestMs) : 0);
      }),
  );
  queues.set(this, turn);
  const asked = turn.then(() => {
    if (queues.get(this) === turn) queues.delete(this);
    return ask.apply(this, args);
  });
  return typeof args.at(-1) === 'function' ? undefined : asked;
};
