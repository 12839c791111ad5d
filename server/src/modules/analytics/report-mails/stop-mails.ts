import type { FastifyInstance } from 'fastify';
import type { Answer } from '#contract';
import { favorites as contract } from '#contract';
import { stopMailsPath } from '#contract/analytics/favorites/rules';
import { audit } from '../../../platform/audit.ts';
import { systemCtx, type Ctx, type Services } from '../../../platform/context.ts';
import { ApiError, fail } from '../../../platform/errors.ts';
import { maskEmail } from '../../../platform/masking/mask-text.ts';
import { madeWithOneOf, sign } from '../../../platform/secrets.ts';
import { lockMailed, patchSchedule } from './store.ts';

/**
 * Names the favorite, and proves one address without saying it. Never expires, because emails are
 * kept; has no dots, or the URL would be served as a file.
 */
export const stopToken = (
  secret: Buffer,
  { companyId, id }: { companyId: number; id: number },
  address: string,
): string =>
  `${companyId}-${id}-${sign(secret, `report-mails:${companyId}:${id}:${address.toLowerCase()}`)}`;

const mostBytes = 4096;

/**
 * Takes the address that the token was made for off a report's schedule, which ends with its last
 * one. Fails with `report_mails.stopped` where there is nothing to stop.
 */
export async function stopReportMails(
  ctx: Omit<Services, 'now'> & Pick<Ctx, 'now' | 'requestId' | 'origin'>,
  token: string,
): Promise<Answer<typeof contract.stopReportMails>> {
  const [companyId, id] = token.split('-', 2).map(Number);
  if (!companyId || !id || ![companyId, id].every(Number.isSafeInteger))
    return fail('report_mails.stopped');
  const company = systemCtx(
    { ...ctx, now: () => ctx.now },
    companyId,
    // The relay finds the event without being woken.
    { markDirty: () => {}, notify: () => {} },
    ctx.requestId,
  );
  return company.transaction(async (t) => {
    const found = await lockMailed(t.tx, companyId, id);
    const isTheirs = (address: string) =>
      madeWithOneOf(ctx.settings.appSecrets, token, (secret) =>
        stopToken(secret, { companyId, id }, address),
      );
    const address = found?.schedule.recipients.find(isTheirs);
    if (!found || address === undefined) return fail('report_mails.stopped');
    const recipients = found.schedule.recipients.filter((one) => one !== address);
    const after = recipients.length ? { ...found.schedule, recipients } : null;
    await patchSchedule(t.tx, companyId, id, { schedule: after, at: t.now });
    await audit(
      { ...t, origin: ctx.origin },
      'favorite_report.mail_stopped',
      `favorite_report:${id}`,
      { before: { name: found.name, schedule: found.schedule }, after: { schedule: after } },
    );
    await t.publish(contract.favoriteReportsChanged, { companyId, favoriteId: id });
    return { data: { company: found.company, name: found.name, email: maskEmail(address) } };
  });
}

/**
 * What mail programs do with the address in `List-Unsubscribe`: post to it when their button is
 * pressed (RFC 8058), or open it, which leads to the page that asks first.
 */
export const stopMailsRoutes =
  (services: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    // Nothing in the body matters: the token says it all.
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: mostBytes }, (_r, _b, done) =>
      done(null, {}),
    );
    const options = { config: { rateLimit: { max: 60, timeWindow: 60_000 } } };
    const url = `/api${stopMailsPath}/:token`;
    const tokenOf = (params: unknown) => String((params as { token: string }).token).slice(0, 200);
    app.get(url, options, (request, reply) =>
      reply.redirect(
        `${services.settings.publicUrl}${stopMailsPath}/${encodeURIComponent(tokenOf(request.params))}`,
        303,
      ),
    );
    app.post(url, options, async (request, reply) => {
      const { ip, id: requestId, params } = request;
      const origin = { ip, userAgent: request.headers['user-agent'] ?? null };
      await stopReportMails(
        { ...services, now: services.now(), requestId, origin },
        tokenOf(params),
      ).catch((error: unknown) => {
        // Repeated requests are as good as the first.
        if (!(error instanceof ApiError) || error.code !== 'report_mails.stopped') throw error;
      });
      return reply.type('text/plain').send('');
    });
  };
