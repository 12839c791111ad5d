import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTags, render, type MergeTag } from '#contract/campaigns/rules';
import {
  applyEdit,
  tagFallback,
  moveCaretOutOfTag,
  insertAt,
  displayText,
  setTagFallback,
  showTagNames,
} from './merge-tags.ts';

const none = { first_name: '', last_name: '', phone: '', email: '' };
it('sets the fallback at every place of a tag', () => {
  expect(
    setTagFallback('Hi {{first_name}}, yes you {{ First_Name | friend }}!', 'first_name', 'there'),
  ).toBe('Hi {{first_name|there}}, yes you {{first_name|there}}!');
  expect(tagFallback('Hi {{first_name}} and {{first_name|there}}', 'first_name')).toBe('there');
  expect(setTagFallback('Hi {{first_name|there}}', 'first_name', '')).toBe('Hi {{first_name}}');
});
it('any fallback is rendered as typed and can be parsed again', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(mergeTags) as MergeTag[])),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      (tag, typed) => {
        const text = setTagFallback(`a {{${tag}}} b`, tag, typed);
        const meant = typed.replace(/[{}|]/g, '');
        expect(render(text, none)).toBe(`a ${meant.trim()} b`);
        expect(tagFallback(text, tag).trim()).toBe(meant.trim());
      },
    ),
  );
});
it('lists show the names of tags', () => {
  expect(showTagNames('Hi {{first_name|there}} {{ Last_Name }}, {{nope}}')).toBe(
    'Hi {First name} {Last name}, {{nope}}',
  );
});

describe('message editor', () => {
  const value = 'Hi {{first_name|there}}, at noon';
  const shown = displayText(value);
  const plain = (text: string): string => text.replaceAll('\u2063', '');
  it('shows the names of its tags', () => expect(plain(shown)).toBe('Hi First name, at noon'));
  it('keeps a tag and its fallback when text around it changes', () => {
    expect(applyEdit(value, `${shown} or one`).value).toBe(`${value} or one`);
    expect(applyEdit(value, `Oh ${shown}`).value).toBe(`Oh ${value}`);
    expect(applyEdit(value, shown.replace('noon', 'two')).value).toBe(
      'Hi {{first_name|there}}, at two',
    );
  });
  it('removes a whole tag when a part of it is deleted, from either side', () => {
    const at = shown.indexOf('First');
    const end = at + 'First name'.length + 1;
    for (const next of [
      shown.slice(0, end - 1) + shown.slice(end),
      shown.slice(0, at - 1) + shown.slice(at),
      shown.replace('First ', ''),
    ]) {
      expect(applyEdit(value, next)).toEqual({ value: 'Hi , at noon', caret: 3 });
    }
    expect(applyEdit(value, `Hi${shown.slice(at + 4)}`).value).toBe('Hi, at noon');
  });
  it('inserts after a tag rather than into it', () => {
    const inside = shown.indexOf('name');
    expect(applyEdit(value, `${shown.slice(0, inside)}x${shown.slice(inside)}`).value).toBe(
      'Hi {{first_name|there}}x, at noon',
    );
    expect(moveCaretOutOfTag(value, inside, 0)).toBe(shown.indexOf(','));
    expect(moveCaretOutOfTag(value, inside, shown.length)).toBe(3);
  });
  it('turns pasted or typed tags into tags', () => {
    expect(applyEdit('', 'Dear {{email}}').value).toBe('Dear {{email}}');
    expect(plain(displayText(applyEdit('Dear {{email}', 'Dear {{email}}').value))).toBe(
      'Dear Email',
    );
    expect(applyEdit('Dear ', `Dear ${displayText('{{last_name}}')}`).value).toBe(
      'Dear {{last_name}}',
    );
  });
  it('any edit equals the shown text, except for the tags it touches', () => {
    const words = fc
      .array(fc.constantFrom('a', 'b', ' ', '{{first_name}}', '{{email|x}}'), { maxLength: 6 })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(
        words,
        fc.nat(40),
        fc.nat(40),
        fc.constantFrom('', 'q', 'zz'),
        (text, one, two, put) => {
          const before = displayText(text);
          const [from, to] = [Math.min(one, before.length), Math.min(two, before.length)].sort(
            (a, b) => a - b,
          ) as [number, number];
          const { value: after, caret } = applyEdit(
            text,
            before.slice(0, from) + put + before.slice(to),
          );
          expect(after).not.toMatch(/\u2063|\{\{(?!first_name\}\}|email\|x\}\})/);
          expect(caret).toBeLessThanOrEqual(displayText(after).length);
          expect(moveCaretOutOfTag(after, caret, 0)).toBe(caret);
        },
      ),
    );
  });
  it('inserts a tag at the caret', () => {
    expect(insertAt(value, shown.length, shown.length, '{{phone}}').value).toBe(
      `${value}{{phone}}`,
    );
    expect(insertAt(value, 3, 3, '{{phone}} ').value).toBe(
      'Hi {{phone}} {{first_name|there}}, at noon',
    );
  });
});
