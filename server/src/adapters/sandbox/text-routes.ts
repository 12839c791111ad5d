/** Outside phones over plain HTTP: text one of our numbers, and list what a phone received. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { BodyReader } from '../../platform/http/request-bodies.ts';
import type { Services } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { parseId } from '../../platform/http/request-fields.ts';
import { unreachableReason } from './directory.ts';
import { readSender, toE164 } from '../../exchange/phone-number.ts';
import { deliverText } from './text-jobs.ts';
import { queueDelivery } from './text-job-kinds.ts';
import { pictureBytes } from './texts.ts';
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

/** A picture as a `data:` URL, or its base64 with a name. */
const picture = z.union([
  z
    .string()
    .max(14_000_000)
    .transform((data) => ({ data, name: 'picture' })),
  z.object({ data: z.string().max(14_000_000), name: z.string().max(120).default('picture') }),
]);
const Text = z.object({
  from: z.string().max(40),
  to: z.string().max(40),
  text: z.string().max(5000).default(''),
  media: z.array(picture).max(10).default([]),
});
interface Picture {
  name: string;
  contentType: string;
  bytes: Buffer;
}

/** The HTTP routes of the sandbox's outside phones for texts. */
export const sandboxTextRoutes =
  (services: Services, bodies: BodyReader) =>
  async (app: FastifyInstance): Promise<void> => {
    app.post('/sandbox/texts', { bodyLimit: 20_000_000 }, (request, reply) =>
      receiveText(services, bodies, request, reply),
    );
    app.get<ListQuery>('/sandbox/texts', (request, reply) => listTexts(services, request, reply));
    app.get<{ Params: { id: string } }>('/sandbox/pictures/:id', (request, reply) =>
      sendPicture(services, request.params.id, reply),
    );
    app.put<{ Params: { number: string } }>('/sandbox/phones/:number', (request, reply) =>
      setPhone(services, request.params.number, request.body, reply),
    );
  };

/** An outside phone texts one of our numbers. */
async function receiveText(
  services: Services,
  bodies: BodyReader,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const failure = refuseByFault(reply);
  if (failure) return failure;
  const text = await parseText(request, bodies);
  if (!text)
    return reply.code(422).send({
      message: 'Send from, to, and a text or media.',
      errors: { from: ['Enter a phone number.'], to: ['Enter a phone number.'] },
    });
  const from = readSender(text.from);
  const to = toE164(text.to);
  if (!from || !to)
    return reply.code(422).send({
      message:
        'Enter a phone number for both phones. The sender can also be a short code or a name.',
      errors: { [from ? 'to' : 'from']: ['This isn’t a phone number.'] },
    });
  const refusal = await unreachableReason(services, to);
  if (refusal) return reply.code(422).send({ message: refusal, errors: { to: [refusal] } });
  const id = await services.db.systemTransaction(async (tx) => {
    const textId = await insertText(tx, { ...text, from, to });
    await queueDelivery(tx, textId, deliveryDelayMs());
    return textId;
  });
  await deliverAtOnce(services.log, 'text', () => deliverText(services, { textId: id }));
  return reply.code(201).send({ data: { id } });
}

async function insertText(tx: Tx, text: ReceivedText): Promise<number> {
  const media: { id: string; contentType: string; name: string }[] = [];
  for (const { name, contentType, bytes } of text.pictures) {
    const { rows } = await sql<{ id: string }>`
      insert into sandbox.picture (name, content_type, bytes)
      values (${name}, ${contentType}, ${bytes}) returning id`.execute(tx);
    media.push({ id: rows[0]!.id, contentType, name }); // The insert returns its row.
  }
  const { rows } = await sql<{ id: number }>`
    insert into sandbox.text (outgoing, from_number, to_number, body, media, at)
    values (false, ${text.from}, ${text.to}, ${text.text}, ${JSON.stringify(media)}::jsonb,
      clock_timestamp()) returning id`.execute(tx);
  return rows[0]!.id; // The insert returns its row.
}

interface TextRow {
  id: number;
  outgoing: boolean;
  from_number: string;
  to_number: string;
  body: string;
  media: { id?: string; url?: string; contentType: string }[];
  at: Date;
}

/** What a phone received, newest last; with `direction=both` also what it sent. */
async function listTexts(
  { db }: Services,
  request: FastifyRequest<ListQuery>,
  reply: FastifyReply,
) {
  const listed = listedPhone(request, reply);
  if (!listed) return reply;
  const { phone, both } = listed;
  const { rows } = await sql<TextRow>`
    select * from (
      select id, outgoing, from_number, to_number, body, media, at from sandbox.text
      where id > ${parseId(request.query.after)}
        and ((outgoing and to_number = ${phone}) ${orSentBy(phone, both, String(request.query.shownAs ?? ''))})
      order by id desc limit 500) t order by id`.execute(db.unscoped);
  return rows.map((row) => ({
    id: row.id,
    from: row.from_number,
    to: row.to_number,
    text: row.body,
    receivedAt: row.at.toISOString(),
    media: row.media.map(({ id, url, contentType }) => ({
      url: url ?? `/sandbox/pictures/${id}`,
      contentType,
    })),
    ...directionOf(row.outgoing, both),
  }));
}

async function sendPicture({ db }: Services, id: string, reply: FastifyReply) {
  const found = /^[0-9a-f-]{36}$/.test(id) ? await pictureBytes(db.unscoped, id) : null;
  if (!found) return reply.code(404).send({ message: 'The sandbox has no such picture.' });
  const isKnownType = /^(image\/(png|jpeg|gif|webp)|audio\/[\w-]+|video\/mp4)$/.test(
    found.contentType,
  );
  return sendUntrustedFile(reply, found.bytes, isKnownType ? found.contentType : null);
}

const failureCode = z.enum(['opted_out', 'landline', 'blocked', 'unreachable', 'rejected']);
/**
 * How a phone fails: `refuses` a text with this code when it is sent, `fails` it later by receipt.
 * Null: it receives texts.
 */
const Phone = z.object({
  refuses: failureCode.nullable().default(null),
  fails: failureCode.nullable().default(null),
});

async function setPhone({ db }: Services, phone: string, body: unknown, reply: FastifyReply) {
  const number = toE164(phone);
  const settings = Phone.safeParse(body ?? {});
  if (!number || !settings.success)
    return reply.code(422).send({
      message:
        'Send a phone number, and refuses or fails with one of opted_out, landline, blocked, unreachable, rejected.',
    });
  const { refuses, fails } = settings.data;
  await sql`
    insert into sandbox.phone (number, refuses, fails) values (${number}, ${refuses}, ${fails})
    on conflict (number) do update
      set refuses = excluded.refuses, fails = excluded.fails`.execute(db.unscoped);
  return { data: { number, ...settings.data } };
}

interface ReceivedText {
  from: string;
  to: string;
  text: string;
  pictures: Picture[];
}

/** The text of a request, JSON or multipart (`media[]`); null when it is invalid or empty. */
async function parseText(
  request: FastifyRequest,
  bodies: BodyReader,
): Promise<ReceivedText | null> {
  const pictures: Picture[] = [];
  let body: unknown = request.body ?? {};
  if (request.isMultipart()) {
    const form = await bodies.readForm(request, { fileBytes: 10_000_000, files: 10 });
    for (const file of form.files)
      pictures.push({ name: file.name, contentType: file.contentType, bytes: await file.bytes() });
    await form.remove();
    const field = form.fields['text'] ?? '';
    body = {
      from: form.fields['from'],
      to: form.fields['to'],
      text: typeof field === 'string' ? field : JSON.stringify(field),
    };
  }
  const parsed = Text.safeParse(body);
  if (!parsed.success) return null;
  const { from, to, text, media } = parsed.data;
  for (const { name, data } of media) {
    const match = /^data:([\w.+-]+\/[\w.+-]+)?;base64,(.+)$/s.exec(data);
    pictures.push({
      name,
      contentType: match?.[1] ?? 'image/png',
      bytes: Buffer.from(match?.[2] ?? data, 'base64'),
    });
  }
  return text || pictures.length ? { from, to, text, pictures } : null;
}
