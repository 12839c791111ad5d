/**
 * Spam labels of the sandbox: an outside phone reports one of our numbers, and from then on the
 * simulated network shows its calls as spam, until the phone takes it back.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { NumberReputationGateway } from '../../gateways/number-reputation.ts';
import type { Services } from '../../platform/context.ts';
import type { Db } from '../../platform/db.ts';
import { toE164 } from '../../exchange/phone-number.ts';

// The system role: the simulated carrier’s own tables have no company.

/** The one network that shows labels here. */
const network = 'Sandbox Mobile (simulated)';

/** What outside phones reported, as source of how our numbers are shown. */
export const sandboxReputation = (db: Db): NumberReputationGateway => ({
  name: 'Sandbox',
  check: async (numbers) => {
    const { rows } = await sql<{ number: string }>`select distinct number from sandbox.spam_report
      where number = any(${numbers}::text[])`.execute(db.unscoped);
    const reported = new Set(rows.map(({ number }) => number));
    return numbers.map((number) => ({
      number,
      flaggedBy: reported.has(number) ? [network] : [],
    }));
  },
  forget: async (numbers) => {
    await sql`delete from sandbox.spam_report where number = any(${numbers}::text[])`.execute(
      db.unscoped,
    );
  },
});

const Report = z.object({
  phone: z.string().max(40),
  number: z.string().max(40),
  isSpam: z.boolean(),
});

/** `PUT /sandbox/spam-reports`: an outside phone reports a number of ours, or takes that back. */
export const sandboxSpamRoutes =
  ({ db }: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    app.put('/sandbox/spam-reports', async (request, reply) => {
      const body = Report.safeParse(request.body ?? {});
      const phone = body.success ? toE164(body.data.phone) : null;
      const number = body.success ? toE164(body.data.number) : null;
      if (!body.success || !phone || !number)
        return reply.code(422).send({ message: 'Send phone, number and isSpam.' });
      const { isSpam } = body.data;
      await (
        isSpam
          ? sql`insert into sandbox.spam_report (number, phone, at)
            select ${number}, ${phone}, now() where exists (select from number where number = ${number})
            on conflict do nothing`
          : sql`delete from sandbox.spam_report where number = ${number} and phone = ${phone}`
      ).execute(db.unscoped);
      return { data: { phone, number, isSpam } };
    });
    app.get<{ Querystring: { phone?: string } }>(
      '/sandbox/spam-reports',
      async (request, reply) => {
        const phone = toE164(String(request.query.phone ?? ''));
        if (!phone) return reply.code(422).send({ message: 'Choose a phone: ?phone=+1…' });
        const { rows } = await sql<{ number: string }>`select number from sandbox.spam_report
        where phone = ${phone} order by at limit 500`.execute(db.unscoped);
        return { data: rows.map((row) => row.number) };
      },
    );
  };
