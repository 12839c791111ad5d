import { expect, test } from 'vitest';
import { campaigns, conversations } from '#contract';
import { recipientColumns } from '../src/features/campaigns/events/recipient-columns.tsx';
import { MessageBubble } from '../src/features/conversations/thread/MessageBubble.tsx';
import type { ItemOf } from '../src/features/conversations/cache-updates.ts';
import { exampleAnswer, renderScreen, screen } from './screen.tsx';

const ours = 'This number is a landline and can’t receive texts. Call instead.';
const carrierWords = 'Carrier: The number can’t receive texts. (landline)';
const [recipient] = exampleAnswer(campaigns.listCampaignEvents).data;
// Its example is a text.
const message = exampleAnswer(conversations.sendMessage).data as ItemOf<'message'>;

test.each([
  ['landline', 'The number can’t receive texts.', ours, carrierWords],
  ['content', 'The text is too long. Shorten it.', 'The text is too long. Shorten it.', null],
])(
  'a text that failed as %s says the same in a campaign and a conversation',
  async (code, text, sentence, details) => {
    const failed = { ...recipient!, state: 'failed' as const, error_code: code, error_text: text };
    const cell = recipientColumns().find(({ key }) => key === 'state')!.cell; // declared there
    const item = {
      ...message,
      isInbound: false,
      details: {
        ...message.details,
        deliveryState: 'failed' as const,
        errorCode: code,
        errorText: text,
      },
    };
    renderScreen(
      <>
        <section aria-label="Campaign">{cell(failed)}</section>
        <section aria-label="Conversation">
          <MessageBubble item={item} first last again={() => {}} />
        </section>
      </>,
    );
    const campaign = await screen.findByRole('region', { name: 'Campaign' });
    const conversation = screen.getByRole('region', { name: 'Conversation' });
    expect(campaign.querySelector('small')!.textContent).toBe(sentence);
    expect(campaign.querySelector('small')!.title).toBe(
      details ? `${sentence}\n${details}` : sentence,
    );
    expect(conversation.textContent).toContain(`Not sent. ${sentence}`);
    expect(conversation.querySelector('small')?.textContent ?? null).toBe(details);
  },
);
