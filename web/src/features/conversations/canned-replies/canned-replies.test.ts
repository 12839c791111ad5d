import { expect, test } from 'vitest';
import { matchReplies, mentionedIds, showTagNames, triggerAt } from './canned-replies.ts';
import { fillTemplate } from './fill-template.ts';

const facts = {
  name: 'Dana van Reed',
  phone: '+12125550147',
  myName: 'Una User',
  company: 'Harbor Dental',
};
test('tags are filled in; a missing value becomes the fallback or nothing; unknown tags stay', () => {
  expect(
    fillTemplate(
      'Hi {{first_name|there}} {{last_name}}, this is {{my_name}} of {{company}}.',
      facts,
    ),
  ).toBe('Hi Dana van Reed, this is Una User of Harbor Dental.');
  expect(fillTemplate('Hi {{ first_name | there }}! {{phone}}', { ...facts, name: '' })).toBe(
    'Hi there! (212) 555-0147',
  );
  expect(fillTemplate('Hi {{first_name}} {{last_name}}.', { ...facts, name: 'Dana' })).toBe(
    'Hi Dana .',
  );
  expect(fillTemplate('{{shoe_size|?}}', facts)).toBe('{{shoe_size|?}}');
});
test('lists show tags by their names', () => {
  expect(showTagNames('Hi {{first_name|there}}, from {{ My_name }}')).toBe(
    'Hi {First name}, from {My name}',
  );
});
test('a slash triggers at the start or after a space, never inside a word', () => {
  expect(triggerAt('/ho', 3, '/')).toEqual({ mark: '/', typed: 'ho', from: 0 });
  expect(triggerAt('Hello /', 7, '/')).toEqual({ mark: '/', typed: '', from: 6 });
  expect(triggerAt('24/7', 4, '/')).toBeNull();
  expect(triggerAt('/hours now', 10, '/')).toBeNull();
  expect(triggerAt('ask @an', 7, '@')).toEqual({ mark: '@', typed: 'an', from: 4 });
});
test('replies whose shortcut begins with the text are listed first', () => {
  const replies = [
    { shortcut: 'address', title: 'Where', body: '' },
    { shortcut: 'hours', title: 'Opening', body: 'we open at 9' },
    { shortcut: 'open', title: 'Open days', body: '' },
  ];
  expect(matchReplies(replies, 'open').map((r) => r.shortcut)).toEqual(['open', 'hours']);
});
test('a note mentions the teammates whose full name it contains', () => {
  expect(
    mentionedIds('Can you look, @Ann Agent? thanks', [
      { id: 1, name: 'Ann Agent' },
      { id: 2, name: 'Ann Other' },
    ]),
  ).toEqual([1]);
});

test.each([
  ['Smith, John', 'Hi John'],
  ['Dr. Ana López', 'Hi Ana'],
  ['ANA MARIA', 'Hi Ana'],
  ['+1 201 555 1234', 'Hi there'],
])('%s is greeted %j', (name, greeting) => {
  expect(fillTemplate('Hi {{first_name|there}}', { ...facts, name })).toBe(greeting);
});
