import { sql } from 'kysely';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { DnsGateway } from '../../gateways/dns.ts';
import type { Services } from '../../platform/context.ts';
import type { Db } from '../../platform/db.ts';

// The system role: the simulated carrier’s own tables have no company.

/** Simulated name servers: they hold the records that were published at `PUT /sandbox/dns`. */
export const sandboxDns = (db: Db): DnsGateway => ({
  name: 'sandbox',
  async lookup(type, host) {
    const { rows } = await sql<{ value: string }>`select value from sandbox.dns_record
      where type = ${type} and host = ${host.toLowerCase()} order by value`.execute(db.unscoped);
    return rows.map(({ value }) => value);
  },
});

const records = z.object({
  records: z
    .array(
      z.object({
        type: z.enum(['TXT', 'CNAME', 'A', 'AAAA', 'MX']),
        host: z.string().min(1).max(253).toLowerCase(),
        value: z.string().max(4000),
      }),
    )
    .max(50),
});

/**
 * `PUT /sandbox/dns {records}` publishes records, replacing those of the same host and type;
 * an empty value removes them.
 */
export const sandboxDnsRoutes =
  ({ db }: Pick<Services, 'db'>): FastifyPluginAsync =>
  async (app) => {
    app.put('/sandbox/dns', async (request, reply) => {
      const body = records.safeParse(request.body);
      if (!body.success)
        return reply.code(422).send({
          message: 'These aren’t DNS records.',
          errors: body.error.flatten().fieldErrors,
        });
      await db.systemTransaction(async (tx) => {
        for (const { type, host, value } of body.data.records) {
          await sql`delete from sandbox.dns_record where type = ${type} and host = ${host}`.execute(
            tx,
          );
          if (value)
            await sql`insert into sandbox.dns_record (type, host, value)
              values (${type}, ${host}, ${value})`.execute(tx);
        }
      });
      return { data: body.data.records };
    });
  };
