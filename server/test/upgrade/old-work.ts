import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** What was done while a database was upgraded. */
interface Work {
  rounds: number;
  written: { calls: number; texts: number };
  /** The longest that one transaction took, waiting included. */
  longestMs: number;
  failures: string[];
}

const columnsOfCall = `number_id, outbound, carrier, from_number, to_number, party, contact_id,
  conversation_id, status, outcome, started_at, ended_at, talk_seconds, duration_seconds`;
const columnsOfItem =
  'conversation_id, number_id, kind, is_inbound, details, delivery_state, carrier';

/**
 * Works on a database in two companies as 0.1 does, with its columns: a call and a text come in and
 * are told of, the text is read, and lists are shown. `stop` says how that went.
 * @param apart the call and the text are transactions of their own
 */
export async function workAsBefore(
  url: string,
  { apart = false } = {},
): Promise<{ stop(): Promise<Work> }> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const { rows: companies } = await owner.query<{ id: string }>(
    'select company_id as id from call group by 1 order by count(*) desc limit 2',
  );
  await owner.end();
  const work: Work = { rounds: 0, written: { calls: 0, texts: 0 }, longestMs: 0, failures: [] };
  let going = true;
  const people = companies.map(async ({ id }) => {
    const client = new pg.Client({ connectionString: url, options: '-c role=trunkline_app' });
    client.on('error', () => {});
    await client.connect();
    while (going) {
      let began = performance.now();
      try {
        await client.query('begin');
        await client.query(`select set_config('app.company_id', $1, true)`, [id]);
        await callComes(client);
        if (apart) {
          await client.query('commit');
          work.longestMs = Math.max(work.longestMs, performance.now() - began);
          began = performance.now();
          await client.query('begin');
          await client.query(`select set_config('app.company_id', $1, true)`, [id]);
        }
        await textComes(client, work.rounds);
        await client.query('commit');
        work.rounds += 1;
        work.written.calls += 1;
        work.written.texts += 1;
      } catch (error) {
        work.failures.push((error as Error).message);
        await client.query('rollback');
      }
      work.longestMs = Math.max(work.longestMs, performance.now() - began);
      await pause(20);
    }
    await client.end();
  });
  return {
    async stop() {
      going = false;
      await Promise.all(people);
      return work;
    },
  };
}

const callComes = (client: pg.Client) =>
  client.query(
    `insert into call (company_id, ${columnsOfCall})
      select company_id, ${columnsOfCall} from call order by started_at desc, id desc limit 1`,
  );

async function textComes(client: pg.Client, round: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `insert into conversation_item (company_id, created_at, text, ${columnsOfItem})
      select company_id, now(), $1, ${columnsOfItem} from conversation_item
      where kind = 'message' and is_inbound order by created_at desc, id desc limit 1 returning id`,
    [`written during the upgrade ${round}`],
  );
  await client.query('update conversation_item set read_at = now() where id = $1', [rows[0]?.id]);
  await client.query(
    `select text from conversation_item where deleted_at is null
      order by created_at desc, id desc limit 50`,
  );
}
