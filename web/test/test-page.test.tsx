import { expect, test } from 'vitest';
import { tracking } from '#contract';
import { TestPage } from '../src/features/tracking/script/TestPage.tsx';
import { exampleAnswer, mockReply, renderScreen, requestsTo, screen } from './screen.tsx';

const found = exampleAnswer(tracking.verifyScript).data;
async function testPage(more: Partial<typeof found> = {}) {
  mockReply(tracking.verifyScript, { data: { ...found, ...more } });
  const { user } = renderScreen(<TestPage />);
  await user.type(screen.getByRole('textbox', { name: 'Address of the page' }), 'www.shop.example');
  await user.click(screen.getByRole('button', { name: 'Test page' }));
  expect(requestsTo(tracking.verifyScript).at(-1)?.body).toEqual({ url: 'www.shop.example' });
  return screen.findByText(/Works, with warnings|All is well|Doesn’t work/);
}

test('what a browser saw: the script, the numbers it showed, and errors of the page', async () => {
  await testPage({ browser: { ...found.browser, errors: ['Error: slider', 'Error: chat'] } });
  screen.getByText('In a browser');
  screen.getByText('Ran, version 1.0.0');
  screen.getByText('shown as (212) 555-2317');
  screen.getByText(/Error: slider\s+Error: chat/);
});

test('a browser in which the script didn’t run', async () => {
  const { browser } = found;
  await testPage({
    browser: { ...browser, scriptRan: false, version: null, numbers: [], swapped: 0 },
  });
  screen.getByText('Didn’t run');
  expect(screen.queryByText('Changed')).toBeNull();
});

test.each([
  ['not_installed', /Checked without a browser: the page’s scripts weren’t run/],
  ['not_started', /the server’s browser doesn’t start/],
  ['busy', /The browser is busy/],
  ['failed', /didn’t open in our browser in time/],
] as const)('no browser looked (%s): it says so', async (state, text) => {
  await testPage({ browser: { ...found.browser, state } });
  screen.getByText(text);
  expect(screen.queryByText('In a browser')).toBeNull();
});
