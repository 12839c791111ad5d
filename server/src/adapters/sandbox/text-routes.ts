/** Outside phones over plain HTTP: text one of our numbers, and see what the phone received. Only with the sandbox carrier. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { BodyReader } from '../../platform/http/request-bodies.ts';
import type { Services } from '../../platform/context.ts';
import { parseId } from '../../platform/http/request-fields.ts';
import { unreachableReason } from './directory.ts';
import { toE164 } from './phone-number.ts';
import { deliverText } from './text-jobs.ts';
import { queueDelivery, pictureBytes } from './texts.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';

/** A picture as a `data:` address, or its base64 with a name. */
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
/** How long the job waits before it does what the request itself tries at once. */
const jobDelayMs = 3000;

export const sandboxTextRoutes =
  (services: Services, bodies: BodyReader) =>
  async (app: FastifyInstance): Promise<void> => {
    const db = services.db.unscoped;

    app.post('/sandbox/texts', { bodyLimit: 20_000_000 }, async (request, reply) => {
      const now = currentFaults();
      if (now.outage || shouldFail(now.errorRate))
        return reply
          .code(now.outage ? 503 : 500)
          .send({ message: 'The sandbox carrier is offline.' });
      const read = await parseText(request, bodies);
      if (!read)
        return reply.code(422).send({
          message: 'Send from, to, and a text or media.',
          errors: { from: ['Enter a phone number.'], to: ['Enter a phone number.'] },
        });
      const from = read.from.toLowerCase() === 'anonymous' ? null : toE164(read.from);
      const to = toE164(read.to);
      if (!from || !to)
        return reply.code(422).send({
          message: 'Enter a ten-digit number for both phones.',
          errors: { [from ? 'to' : 'from']: ['This isn’t a phone number.'] },
        });
      const refusal = await unreachableReason(services, to);
      if (refusal) return reply.code(422).send({ message: refusal, errors: { to: [refusal] } });
      const id = await services.db.systemTransaction(async (tx) => {
        const media: { id: string; contentType: string; name: string }[] = [];
        for (const p of read.pictures) {
          const { rows } = await sql<{
            id: string;
          }>`insert into sandbox.picture (name, content_type, bytes) values (${p.name}, ${p.contentType}, ${p.bytes}) returning id`.execute(
            tx,
          );
          media.push({ id: rows[0]!.id, contentType: p.contentType, name: p.name });
        }
        const { rows } = await sql<{
          id: number;
        }>`insert into sandbox.text (outgoing, from_number, to_number, body, media, at) values (false, ${from}, ${to}, ${read.text}, ${JSON.stringify(media)}::jsonb, clock_timestamp()) returning id`.execute(
          tx,
        );
        await queueDelivery(tx, rows[0]!.id, Math.max(jobDelayMs, now.lateReceiptsMs));
        return rows[0]!.id;
      });
      // Kept first, answered for; told to the customer at once. Should that fail, the job tells it.
      if (!now.lateReceiptsMs && !shouldFail(now.reorderRate))
        await deliverText(services, { textId: id }).catch((error: unknown) =>
          services.log.warn({ err: error }, 'a text waits for its job'),
        );
      return reply.code(201).send({ data: { id } });
    });

    app.get<{ Querystring: { phone?: string; after?: string; direction?: string } }>(
      '/sandbox/texts',
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
        const { rows } = await sql<{
          id: number;
          outgoing: boolean;
          from_number: string;
          to_number: string;
          body: string;
          media: { id?: string; url?: string; contentType: string }[];
          at: Date;
        }>`
      select * from (select id, outgoing, from_number, to_number, body, media, at from sandbox.text where id > ${after} and ((outgoing and to_number = ${phone}) ${both ? sql`or (not outgoing and from_number = ${phone})` : sql``}) order by id desc limit 500) t order by id`.execute(
          db,
        );
        return rows.map((r) => ({
          id: r.id,
          from: r.from_number,
          to: r.to_number,
          text: r.body,
          receivedAt: r.at.toISOString(),
          media: r.media.map((m) => ({
            url: m.url ?? `/sandbox/pictures/${m.id}`,
            contentType: m.contentType,
          })),
          ...(both ? { direction: r.outgoing ? 'received' : 'sent' } : {}),
        }));
      },
    );

    app.get<{ Params: { id: string } }>('/sandbox/pictures/:id', async (request, reply) => {
      const found = /^[0-9a-f-]{36}$/.test(request.params.id)
        ? await pictureBytes(db, request.params.id)
        : null;
      if (!found) return reply.code(404).send({ message: 'The sandbox has no such picture.' });
      const type = /^(image\/(png|jpeg|gif|webp)|audio\/[\w-]+|video\/mp4)$/.test(found.contentType)
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

    /** A phone that is not as obliging as the rest: `refuses` a code at sending, `fails` with a code by receipt; null is obliging again. */
    const Phone = z.object({
      refuses: z
        .enum(['opted_out', 'landline', 'blocked', 'unreachable', 'rejected'])
        .nullable()
        .default(null),
      fails: z
        .enum(['opted_out', 'landline', 'blocked', 'unreachable', 'rejected'])
        .nullable()
        .default(null),
    });
    app.put<{ Params: { number: string } }>('/sandbox/phones/:number', async (request, reply) => {
      const number = toE164(request.params.number);
      const asked = Phone.safeParse(request.body ?? {});
      if (!number || !asked.success)
        return reply.code(422).send({
          message:
            'Send a phone number, and refuses or fails with one of opted_out, landline, blocked, unreachable, rejected.',
        });
      await sql`insert into sandbox.phone (number, refuses, fails) values (${number}, ${asked.data.refuses}, ${asked.data.fails}) on conflict (number) do update set refuses = excluded.refuses, fails = excluded.fails`.execute(
        db,
      );
      return { data: { number, ...asked.data } };
    });
  };

/** The text of a request, JSON or multipart (`media[]`). */
async function parseText(
  request: FastifyRequest,
  bodies: BodyReader,
): Promise<{ from: string; to: string; text: string; pictures: Picture[] } | null> {
  const pictures: Picture[] = [];
  let body: unknown = request.body ?? {};
  if (request.isMultipart()) {
    const form = await bodies.readForm(request, { fileBytes: 10_000_000, files: 10 });
    for (const file of form.files)
      pictures.push({ name: file.name, contentType: file.contentType, bytes: await file.bytes() });
    await form.remove();
    const text = form.fields['text'] ?? '';
    body = {
      from: form.fields['from'],
      to: form.fields['to'],
      text: typeof text === 'string' ? text : JSON.stringify(text),
    };
  }
  const asked = Text.safeParse(body);
  if (!asked.success) return null;
  for (const m of asked.data.media) {
    const match = /^data:([\w.+-]+\/[\w.+-]+)?;base64,(.+)$/s.exec(m.data);
    pictures.push({
      name: m.name,
      contentType: match?.[1] ?? 'image/png',
      bytes: Buffer.from(match?.[2] ?? m.data, 'base64'),
    });
  }
  return asked.data.text || pictures.length
    ? { from: asked.data.from, to: asked.data.to, text: asked.data.text, pictures }
    : null;
}
