import { writeXlsxStream } from 'hucre/xlsx';
import pg from 'pg';
import { startWorker } from '../server/src/app.ts';
import { compare, fmt, median, createBench } from './kit.ts';

/**
 * Imports 100,000 contacts from CSV through HTTP and the job until the result file exists, compared
 * with COPY of the same rows into a table with the same columns, search column and indexes. Then
 * the same rows as XLSX, compared with CSV. Prints rows per second, and memory before and at its
 * peak.
 */
const ROWS = Number(process.env['ROWS'] ?? 100_000);
const bench = await createBench();
const worker = await startWorker(bench.services);
const owner = new pg.Pool({ connectionString: bench.database, max: 4 });
await owner.query('create table bare_contact (like contact including all)');
await owner.query('analyze');

const firsts = [
  'Ada',
  'Bo',
  'Cyra',
  'Dana',
  'Emil',
  'Fay',
  'Gus',
  'Hana',
  'Ivo',
  'Jun',
  'Kai',
  'Lea',
  'Mia',
  'Noa',
  'Ola',
  'Pia',
];
const lasts = [
  'Reed',
  'King',
  'Okafor',
  'Müller',
  'Santos',
  'Novak',
  'Haddad',
  'Ito',
  'Larsen',
  'Moreau',
  'Quinn',
  'Rossi',
  'Silva',
  'Tran',
  'Urban',
  'Vega',
];
const cities = ['Boston', 'Austin', 'Chicago', 'Denver', 'Miami', 'Portland'];
/**
 * Mixed rows, different in each round: three in four numbers formatted as people write them, and a
 * few mistakes.
 */
const people = (round: number) =>
  Array.from({ length: ROWS }, (_, i) => {
    const n = 2_000_000 + i;
    const [area, local] = [String(201 + (round % 600)), String(n).padStart(7, '0')];
    const written = [
      `+1${area}${local}`,
      `(${area}) ${local.slice(0, 3)}-${local.slice(3)}`,
      `${area}-${local.slice(0, 3)}-${local.slice(3)}`,
      `1 ${area} ${local.slice(0, 3)} ${local.slice(3)}`,
    ][i % 4]!;
    const name = `${firsts[i % 16]} ${lasts[(i >> 4) % 16]} ${i}`;
    return {
      e164: `+1${area}${local}`,
      cells: [
        name,
        i % 200 === 7 ? 'no number' : written,
        `person${i}@example${i % 97}.com`,
        `${lasts[i % 16]} & Sons`,
        cities[i % 6]!,
        'MA',
        i % 3 ? '' : `Came in ${i}`,
      ],
    };
  });
const head = ['Name', 'Phone', 'Email', 'Company', 'City', 'State', 'Notes'];
const csv = (rows: string[][]) =>
  Buffer.from(rows.map((r) => r.map((c) => (/[",]/.test(c) ? `"${c}"` : c)).join(',')).join('\n'));

let round = 0;
let most = 0;
const atRest = process.memoryUsage().rss;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 50);
async function imported(bytes: Buffer, name: string): Promise<number> {
  await owner.query('truncate contact, contact_group_count cascade');
  const form = new FormData();
  form.set('file', new Blob([bytes as never]), name);
  const headers = { authorization: `Bearer ${bench.token}` };
  const at = performance.now();
  const api = async (method: string, path: string, body?: BodyInit) => {
    const answer = await fetch(`${bench.url}/api/companies/${bench.companyId}/contacts/${path}`, {
      method,
      headers: {
        ...headers,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body } : {}),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`);
    return (
      (await answer.json()) as {
        data: { id: number; state: string; created: number; skipped: number };
      }
    ).data;
  };
  const { id } = await api('POST', 'imports', form);
  const read = performance.now() - at;
  await api('POST', `imports/${id}/start`, '{}');
  for (;;) {
    const now = await api('GET', `imports/${id}`);
    if (now.state === 'failed') throw new Error('the import failed');
    if (now.state === 'finished') {
      const seconds = (performance.now() - at) / 1000;
      const { rows } = await owner.query('select count(*)::int n from contact');
      if (rows[0].n !== now.created || now.created + now.skipped !== ROWS)
        throw new Error(`made ${rows[0].n}, said ${now.created}`);
      console.log(
        `  ${name}: ${seconds.toFixed(1)} s, of which reading the file ${(read / 1000).toFixed(1)} s`,
      );
      return ROWS / seconds;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const ours = () => imported(csv([head, ...people(round++).map((p) => p.cells)]), 'people.csv');
async function bare(): Promise<number> {
  await owner.query('truncate bare_contact');
  const rows = people(round++);
  const text = rows
    .map((p) =>
      [
        bench.companyId,
        p.e164,
        p.cells[0],
        p.cells[2],
        p.cells[3],
        p.cells[4],
        p.cells[5],
        p.cells[6],
        'Import',
      ].join('\t'),
    )
    .join('\n');
  const client = await owner.connect();
  const at = performance.now();
  // COPY's input is written to the statement's stream directly, without a library in between.
  await copyIn(
    client,
    'copy bare_contact (company_id, number, name, email, company_name, city, state, notes, source) from stdin',
    Buffer.from(`${text}\n`),
  );
  const perSecond = ROWS / ((performance.now() - at) / 1000);
  client.release();
  return perSecond;
}
function copyIn(client: pg.PoolClient, statement: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = {
      submit(connection: { query(text: string): void }) {
        connection.query(statement);
      },
      handleCopyInResponse(connection: {
        sendCopyFromChunk(chunk: Buffer): void;
        endCopyFrom(): void;
      }) {
        for (let at = 0; at < bytes.length; at += 65_536)
          connection.sendCopyFromChunk(bytes.subarray(at, at + 65_536));
        connection.endCopyFrom();
      },
      handleError: reject,
      handleCommandComplete() {},
      handleReadyForQuery: () => resolve(),
      handleRowDescription() {},
      handleDataRow() {},
      handlePortalSuspended() {},
      handleEmptyQuery() {},
      callback: null,
    };
    client.query(query);
  });
}
const result = await compare(`contact import, ${fmt(ROWS)} rows of CSV`, 'rows/s', bare, ours, 3);
const workbook: number[] = [];
for (let i = 0; i < 3; i++) {
  const chunks: Uint8Array[] = [];
  const rows = [head, ...people(round++).map((p) => p.cells)];
  for await (const chunk of writeXlsxStream(
    (function* () {
      yield* rows;
    })(),
    { name: 'People' },
  ) as unknown as AsyncIterable<Uint8Array>)
    chunks.push(chunk);
  workbook.push(await imported(Buffer.concat(chunks), 'people.xlsx'));
}
console.log(
  `contact import, ${fmt(ROWS)} rows of XLSX: ${fmt(median(workbook))} rows/s, ratio to the CSV import ${(median(workbook) / result.ours).toFixed(2)}`,
);
clearInterval(watch);
console.log(
  `memory: ${fmt(atRest / 1e6)} MB before, ${fmt(most / 1e6)} MB at most (server, worker and this measurement in one process)`,
);
await worker.stop();
await owner.end();
await bench.close();
