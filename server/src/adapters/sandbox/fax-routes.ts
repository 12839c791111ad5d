/**
 * Outside fax machines over plain HTTP: fax one of our numbers, and list what a machine received.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { BodyReader } from '../../platform/http/request-bodies.ts';
import type { Services } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { parseId } from '../../platform/http/request-fields.ts';
import { unreachableReason } from './directory.ts';
import { deliverFax } from './fax-jobs.ts';
import { faxDocument, faxFailures, queueFaxJob } from './faxes.ts';
import { toE164 } from '../../exchange/phone-number.ts';
import {
  deliverAtOnce,
  deliveryDelayMs,
  directionOf,
  listedPhone,
  orSentBy,
  refuseByFault,
  type ListQuery,
} from './outside-phone.ts';
import { sendUntrustedFile } from './untrusted-file.ts';

// The system role: the simulated carrier’s own tables have no company.

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

/** The HTTP routes of the sandbox's fax machines. */
export const sandboxFaxRoutes =
  (services: Services, bodies: BodyReader) =>
  async (app: FastifyInstance): Promise<void> => {
    app.post('/sandbox/faxes', (request, reply) => receiveFax(services, bodies, request, reply));
    app.get<ListQuery>('/sandbox/faxes', (request, reply) => listFaxes(services, request, reply));
    app.get<{ Params: { id: string } }>('/sandbox/faxes/:id/document', (request, reply) =>
      sendDocument(services, Number(request.params.id), reply),
    );
    app.put<{ Params: { number: string } }>('/sandbox/phones/:number/fax', (request, reply) =>
      setMachine(services, request.params.number, request.body, reply),
    );
  };

/** An outside machine faxes one of our numbers. */
async function receiveFax(
  services: Services,
  bodies: BodyReader,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const failure = refuseByFault(reply);
  if (failure) return failure;
  if (!request.isMultipart())
    return reply.code(422).send({
      message: 'Send from, to and a file as multipart.',
      errors: { file: ['Send a PDF, TIFF or picture.'] },
    });
  const { from, to, document } = await readFaxForm(bodies, request);
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
  const delayMs = deliveryDelayMs();
  const id = await services.db.systemTransaction(async (tx) => {
    const faxId = await insertFax(tx, { from, to, ...document });
    await queueFaxJob(tx, 'sandbox.deliverFax', faxId, delayMs);
    return faxId;
  });
  await deliverAtOnce(services.log, 'fax', () => deliverFax(services, { faxId: id }));
  return reply.code(201).send({ data: { id } });
}

/** Null where a field is missing or not a phone number. */
async function readFaxForm(bodies: BodyReader, request: FastifyRequest) {
  const form = await bodies.readForm(request, { fileBytes: 15_000_000, files: 1 });
  const ends = EndsBody.safeParse(form.fields);
  const [upload] = form.files;
  const document = upload && { bytes: await upload.bytes(), contentType: upload.contentType };
  await form.remove();
  const { from, to } = ends.success ? ends.data : { from: '', to: '' };
  return { from: toE164(from), to: toE164(to), document };
}

async function insertFax(
  tx: Tx,
  fax: { from: string; to: string; bytes: Buffer; contentType: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into sandbox.fax (outgoing, from_number, to_number, document, content_type, state, at)
    values (false, ${fax.from}, ${fax.to}, ${fax.bytes}, ${fax.contentType}, 'received',
      clock_timestamp()) returning id`.execute(tx);
  return rows[0]!.id; // An insert without a condition returns its row.
}

/** What a machine received, newest last; with `direction=both` also what it sent. */
async function listFaxes(
  { db }: Services,
  request: FastifyRequest<ListQuery>,
  reply: FastifyReply,
) {
  const listed = listedPhone(request, reply);
  if (!listed) return reply;
  const { phone, both } = listed;
  const { rows } = await sql<Row>`
    select * from (
      select id, outgoing, from_number, to_number, pages, state, at from sandbox.fax
      where id > ${parseId(request.query.after)}
        and ((outgoing and to_number = ${phone} and state <> 'failed') ${orSentBy(phone, both)})
      order by id desc limit 200) f order by id`.execute(db.unscoped);
  return rows.map((row) => ({
    id: row.id,
    from: row.from_number,
    to: row.to_number,
    pages: row.pages,
    url: `/sandbox/faxes/${row.id}/document`,
    receivedAt: row.at.toISOString(),
    ...directionOf(row.outgoing, both),
  }));
}

async function sendDocument({ db }: Services, id: number, reply: FastifyReply) {
  const found = Number.isSafeInteger(id) && id > 0 ? await faxDocument(db.unscoped, id) : null;
  if (!found) return reply.code(404).send({ message: 'The sandbox has no such fax.' });
  const isKnownType = /^(application\/pdf|image\/(tiff|png|jpeg|gif|webp))$/.test(
    found.contentType,
  );
  return sendUntrustedFile(reply, found.bytes, isKnownType ? found.contentType : null);
}

/** How a machine fails to receive faxes; null: it receives them. */
const Machine = z.object({ fails: z.enum(faxFailures).nullable() });

async function setMachine({ db }: Services, phone: string, body: unknown, reply: FastifyReply) {
  const number = toE164(phone);
  const machine = Machine.safeParse(body ?? {});
  if (!number || !machine.success)
    return reply.code(422).send({
      message: `Send a phone number, and fails with one of ${faxFailures.join(', ')}, or null.`,
    });
  await sql`
    insert into sandbox.phone (number, fax_fails) values (${number}, ${machine.data.fails})
    on conflict (number) do update set fax_fails = excluded.fax_fails`.execute(db.unscoped);
  return { data: { number, ...machine.data } };
}
