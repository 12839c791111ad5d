import type { Answer, Body, setup as contract } from '#contract';
import type { SetupCheck } from '#contract/monitoring/setup/rules';
import { checkAccounts } from '../../../gateways/carrier-accounts.ts';
import { addressFindings, forwardingFindings } from '../../../platform/checks/address.ts';
import {
  backupFindings,
  clockFindings,
  databaseFindings,
} from '../../../platform/checks/database.ts';
import { ok, problem, reasonOf, type Finding } from '../../../platform/checks/finding.ts';
import { phoneCertificateFindings } from '../../../platform/checks/phones.ts';
import { carrierFindings, mailSettingsFindings } from '../../../platform/checks/services.ts';
import {
  dataDirectoryFinding,
  diskFinding,
  filesFinding,
} from '../../../platform/checks/storage.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Http } from '../../../platform/routes.ts';
import { firstCompany } from '../../companies/index.ts';
import { personById } from '../../identity/index.ts';

// The system role: the installation itself, which platform staff look after.

type Said = Body<typeof contract.runSetupCheck>;

const checks: Record<
  SetupCheck,
  (ctx: Ctx, said: Said, http: Http) => Promise<Finding[]> | Finding[]
> = {
  address: async (ctx, said, http) => [
    ...(await addressFindings(ctx.settings)),
    ...forwardingFindings(ctx.settings, arrivalOf(http, said)),
    ...phoneCertificateFindings(ctx.settings, ctx.now),
  ],
  mail: mailMe,
  carrier: async ({ gateways, settings }) =>
    carrierFindings(settings, await checkAccounts(gateways.carriers.all)),
  company: companyFindings,
  backups: (ctx) => backupFindings(ctx.db, ctx.settings, ctx.now),
  files: async (ctx) => [await filesFinding(ctx.settings, ctx.files.blobs)],
  disk: ({ settings }) => [dataDirectoryFinding(settings), diskFinding(settings)],
  database: ({ db }) => databaseFindings(db),
  clock: ({ db }, { time }) => clockFindings(db, time === undefined ? null : new Date(time)),
};

/** Tests one part of the installation; what fails is a finding, never an error. */
export async function runSetupCheck(
  ctx: Ctx,
  check: SetupCheck,
  said: Said,
  http: Http,
): Promise<Answer<typeof contract.runSetupCheck>> {
  const findings = await Promise.resolve()
    .then(() => checks[check](ctx, said, http))
    .catch((error: unknown) => [
      problem(`The test itself failed: ${reasonOf(error)}.`, 'See the server’s log.'),
    ]);
  return {
    data: {
      check,
      findings: findings.map(({ found, fix = null }) => ({ found, fix })),
      at: ctx.now.toISOString(),
    },
  };
}

function arrivalOf({ request, ip }: Http, { opened }: Said) {
  const { 'x-forwarded-for': forwarded, host } = request.headers;
  return {
    ip,
    peer: request.socket.remoteAddress ?? '',
    host,
    forwardedFor: Array.isArray(forwarded) ? forwarded.join(', ') : forwarded,
    opened: opened ?? null,
  };
}

/** Sends at once, not by the queue, so that the mail server's answer is what is shown. */
async function mailMe({ db, settings, gateways, actor }: Ctx): Promise<Finding[]> {
  const findings = mailSettingsFindings(settings);
  const person = await personById(db.unscoped, actor.userId);
  if (!settings.sendsMail || !person) return findings;
  const words = `This is a test from ${settings.publicUrl}. Email from your server arrives.`;
  try {
    await gateways.mail.send({
      to: person.email,
      subject: 'Test of your Trunkline server',
      text: words,
      html: `<p>${words}</p>`,
    });
  } catch (error) {
    return [
      ...findings,
      problem(
        `The mail server didn’t accept an email to ${person.email}: ${reasonOf(error)}.`,
        'Check SMTP_URL and MAIL_FROM at your email provider, and restart.',
      ),
    ];
  }
  return [
    ...findings,
    ok(`The mail server accepted an email to ${person.email}. Look for it, in spam too.`),
  ];
}

async function companyFindings({ db }: Ctx): Promise<Finding[]> {
  const company = await firstCompany(db.unscoped);
  if (!company) return [problem('There is no company yet.', 'Add one here, with its owner.')];
  const { name, owner, signedIn } = company;
  if (owner === null)
    return [problem(`${name} has no owner.`, 'Make one of its people the owner.')];
  return [
    signedIn
      ? ok(`${name} is there, and its owner ${owner} has signed in.`)
      : problem(
          `${owner} hasn’t signed in to ${name} yet.`,
          'Ask whether the link to set a password arrived. “Forgot password?” on the sign-in page sends another.',
        ),
  ];
}
