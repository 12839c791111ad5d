import { expect, test } from 'vitest';
import { campaigns } from '#contract';
import { CostEstimate } from '../src/features/campaigns/CostEstimate.tsx';
import { DeliveryResult } from '../src/features/campaigns/DeliveryResult.tsx';
import { exampleAnswer, renderScreen, screen } from './screen.tsx';

test('the cost of a campaign is shown in credits and in money', async () => {
  const { data } = exampleAnswer(campaigns.previewUnsaved);
  renderScreen(<CostEstimate preview={{ ...data, credits: 87 }} refreshing={false} />);
  await screen.findByText('87 credits');
  await screen.findByText('Up to $3.48. Credits in your plan are free.');
});

test('recipients rejected by the carrier are counted apart from undelivered ones', async () => {
  const { data } = exampleAnswer(campaigns.getCampaign);
  renderScreen(<DeliveryResult campaign={data} current="all" onPick={() => {}} />);
  const tiles = (await screen.findAllByRole('button')).map((tile) => tile.textContent);
  expect(tiles.some((text) => text.endsWith('Undelivered'))).toBe(true);
  expect(tiles.some((text) => text.endsWith('Rejected by carrier'))).toBe(true);
});
