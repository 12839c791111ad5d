/** Outside fax machines over plain HTTP: fax one of our numbers, and see what a machine received. Only with the sandbox carrier. */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { BodyReader } from '../../platform/http/request-bodies.ts';
import type { Services } from '../../platform/context.ts';
import { parseId } from '../../platform/http/request-fields.ts';
import { unreachableReason } from './directory.ts';
import { deliverFax } from './fax-jobs.ts';
import { faxDocument, faxFailures, queueFaxJob } from './faxes.ts';
import { toE164 } from './phone-number.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';

const EndsBody = z.object({ from: z.string().max(40), to: z.string().max(40) });
interface Row {
  id: number;
  outgoing: boolean;
  from_number: string;
  to_number: string;
  pages: number;
  state: string;
  at: Date;
}
/** How long the job waits before it does what the request itself tries at once. */
const jobDelayMs = 3000;

export const sandboxFaxRoutes =
  (services: Services, bodies: BodyReader) =>
  async (app: FastifyInstance): Promise<void> => {
    const db = services.db.unscoped;

    app.post('/sandbox/faxes', async (request, reply) => {
      const now = currentFaults();
      if (now.outage || shouldFail(now.errorRate))
        return reply
          .code(now.outage ? 503 : 500)
          .send({ message: 'The sandbox carrier is offline.' });
      if (!request.isMultipart())
        return reply.code(422).send({
          message: 'Send from, to and a file as multipart.',
          errors: { file: ['Send a PDF, TIFF or picture.'] },
        });
      const form = await bodies.readForm(request, { fileBytes: 15_000_000, files: 1 });
      const asked = EndsBody.safeParse(form.fields);
      const [upload] = form.files;
      const document = upload && { bytes: await upload.bytes(), contentType: upload.contentType };
      await form.remove();
      const [from, to] = asked.success
        ? [toE164(asked.data.from), toE164(asked.data.to)]
        : [null, null];
      if (!from || !to || !document?.bytes.length)
        return reply.code(422).send({
          message: 'Send from, to and a file as multipart.',
          errors: {
            ...(from ? {} : { from: ['This isn’t a phone number.'] }),
            ...(to ? {} : { to: ['This isn’t a phone number.'] }),
            ...(document ? {} : { file: ['Send a PDF, TIFF or picture.'] }),
          },
        });
      const refusal = await unreachableReason(services, to);
      if (refusal) return reply.code(422).send({ message: refusal, errors: { to: [refusal] } });
      const { bytes, contentType } = document;
      const id = await services.db.systemTransaction(async (tx) => {
        const { rows } = await sql<{
          id: number;
        }>`insert into sandbox.fax (outgoing, from_number, to_number, document, content_type, state, at) values (false, ${from}, ${to}, ${bytes}, ${contentType}, 'received', clock_timestamp()) returning id`.execute(
          tx,
        );
        await queueFaxJob(
          tx,
          'sandbox.deliverFax',
          rows[0]!.id,
          Math.max(jobDelayMs, now.lateReceiptsMs),
        );
        return rows[0]!.id;
      });
      // Kept first, answered for; told to the customer at once. Should that fail, the job tells it.
      if (!now.lateReceiptsMs && !shouldFail(now.reorderRate))
        await deliverFax(services, { faxId: id }).catch((error: unknown) =>
          services.log.warn({ err: error }, 'a fax waits for its job'),
        );
      return reply.code(201).send({ data: { id } });
    });

    /** What a machine received, newest last; with `direction=both` also what it sent. */
    app.get<{ Querystring: { phone?: string; after?: string; direction?: string } }>(
      '/sandbox/faxes',
      async (request, reply) => {
        const asked = z.object({ phone: z.string().max(40) }).safeParse(request.query);
        const phone = asked.success ? toE164(asked.data.phone) : null;
        if (!phone)
          return reply.code(422).send({
            message: 'Choose a phone: ?phone=+1…',
            errors: { phone: ['This isn’t a phone number.'] },
          });
        const both = request.query.direction === 'both';
        const after = parseId(request.query.after);
        const { rows } =
          await sql<Row>`select * from (select id, outgoing, from_number, to_number, pages, state, at from sandbox.fax
      where id > ${after} and ((outgoing and to_number = ${phone} and state <> 'failed') ${both ? sql`or (not outgoing and from_number = ${phone})` : sql``}) order by id desc limit 200) f order by id`.execute(
            db,
          );
        return rows.map((r) => ({
          id: r.id,
          from: r.from_number,
          to: r.to_number,
          pages: r.pages,
          url: `/sandbox/faxes/${r.id}/document`,
          receivedAt: r.at.toISOString(),
          ...(both ? { direction: r.outgoing ? 'received' : 'sent' } : {}),
        }));
      },
    );

    app.get<{ Params: { id: string } }>('/sandbox/faxes/:id/document', async (request, reply) => {
      const id = Number(request.params.id);
      const found = Number.isSafeInteger(id) && id > 0 ? await faxDocument(db, id) : null;
      if (!found) return reply.code(404).send({ message: 'The sandbox has no such fax.' });
      const type = /^(application\/pdf|image\/(tiff|png|jpeg|gif|webp))$/.test(found.contentType)
        ? found.contentType
        : 'application/octet-stream';
      return reply
        .headers({
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'private, max-age=3600',
        })
        .type(type)
        .send(found.bytes);
    });

    /** A machine that does not take faxes as it should; null: it does again. */
    const Machine = z.object({ fails: z.enum(faxFailures).nullable() });
    app.put<{ Params: { number: string } }>(
      '/sandbox/phones/:number/fax',
      async (request, reply) => {
        const number = toE164(request.params.number);
        const asked = Machine.safeParse(request.body ?? {});
        if (!number || !asked.success)
          return reply.code(422).send({
            message: `Send a phone number, and fails with one of ${faxFailures.join(', ')}, or null.`,
          });
        await sql`insert into sandbox.phone (number, fax_fails) values (${number}, ${asked.data.fails}) on conflict (number) do update set fax_fails = excluded.fax_fails`.execute(
          db,
        );
        return { data: { number, ...asked.data } };
      },
    );
  };
