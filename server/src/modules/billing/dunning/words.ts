import { formatMoney } from '#contract';
import { dayOf, dayOfStep, type DunningStep } from '#contract/billing/rules';
import type { Notice } from '../contacts/tell-billing-people.ts';

interface Facts {
  company: string;
  owedCents: number;
  since: Date;
  /** Why the last charge failed, as a sentence; null: it isn't known. */
  reason: string | null;
}

const date = (at: Date): string =>
  at.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });

/** What is told at a step of dunning. */
export function dunningWords(
  { day, does }: DunningStep,
  { company, owedCents, since, reason }: Facts,
): Omit<Notice, 'key'> {
  const amount = formatMoney(owedCents);
  const [suspended, ended, released] = (['suspend', 'expire', 'release'] as const).map((step) =>
    date(dayOfStep(since, dayOf(step))),
  );
  const owes = `${company} has an outstanding balance of ${amount}.`;
  const update = 'Please update your payment info to reactivate your account.';
  const paid = `If you paid it since, there is nothing to do.`;
  switch (does) {
    case 'remind':
      return {
        subject: `${company}: your payment of ${amount} failed`,
        paragraphs: [
          `${owes}${reason ? ` ${reason}` : ''}`,
          `Update your card or pay by ${suspended}. From then on nothing is sent and no calls are placed until it is paid, and only owners, administrators and billing people can sign in.`,
          paid,
        ],
        text: `${owes} Pay by ${suspended} to keep texting and calling.`,
      };
    case 'suspend':
      return {
        subject: `${company}: your account is suspended`,
        paragraphs: [
          `${owes} ${update}`,
          `Texts, faxes, campaigns and outgoing calls have stopped, and only owners, administrators and billing people can sign in. Calls to your numbers still reach you.`,
          `Without a payment, your plan ends on ${ended}.`,
        ],
        text: `${owes} Your account is suspended. Your plan ends on ${ended}.`,
      };
    case 'expire':
      return {
        subject: `${company}: your plan has ended`,
        paragraphs: [
          `${owes} It wasn’t paid for ${day} days, so your plan has ended.`,
          `Your numbers are kept until ${released}. Pay and choose a plan to keep them.`,
        ],
        text: `${owes} Your plan has ended. Your numbers are kept until ${released}.`,
      };
    case 'warn':
      return {
        subject: `${company}: your numbers are given up on ${released}`,
        paragraphs: [
          `Your plan has ended. On ${released} your numbers go back to the carrier, and others can get them.`,
          'Choose a plan before then to keep them.',
        ],
        text: `${company}: your numbers are given up on ${released}. Choose a plan to keep them.`,
      };
    case 'release':
      return {
        subject: `${company}: your numbers were given up`,
        paragraphs: [
          'Your plan ended 30 days ago, so your numbers go back to the carrier.',
          'Choose a plan within three days, then keep them under Numbers.',
        ],
        text: `${company}: your numbers were given up because your plan ended.`,
      };
  }
}

/** The same for an individual, who falls back to the free plan. */
export function individualDunningWords(
  { day, does }: DunningStep,
  { owedCents, since, reason }: Pick<Facts, 'owedCents' | 'since' | 'reason'>,
): Omit<Notice, 'key'> {
  const amount = formatMoney(owedCents);
  const [suspended, ended] = (['suspend', 'expire'] as const).map((step) =>
    date(dayOfStep(since, dayOf(step))),
  );
  const owes = `Your Caddy plan has an outstanding balance of ${amount}.`;
  if (does === 'remind')
    return {
      subject: `Your payment of ${amount} failed`,
      paragraphs: [
        `${owes}${reason ? ` ${reason}` : ''}`,
        `Update your card or pay by ${suspended} to keep texting and calling.`,
      ],
      text: `${owes} Pay by ${suspended} to keep texting and calling.`,
    };
  if (does === 'suspend')
    return {
      subject: 'You can’t text or call until you pay',
      paragraphs: [
        `${owes} Pay it to text and call again. Calls and texts to you still arrive.`,
        `Without a payment, your plan ends on ${ended}.`,
      ],
      text: `${owes} You can’t text or call until you pay. Your plan ends on ${ended}.`,
    };
  return {
    subject: 'Your plan has ended',
    paragraphs: [
      `${owes} It wasn’t paid for ${day} days, so you are on the free plan now.`,
      'Numbers beyond it stop. For 30 days you can choose which one to keep.',
    ],
    text: `${owes} Your plan has ended, and you are on the free plan now.`,
  };
}
