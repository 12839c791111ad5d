import { useForm } from '@mantine/form';
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useFollowSaved } from '#ui';

const shown = (name: string) =>
  renderHook(
    ({ saved }) => {
      const form = useForm({ initialValues: { name: saved } });
      useFollowSaved(form, { name: saved });
      return form;
    },
    { initialProps: { saved: name } },
  );

it('shows what someone else saved, unless something was typed; then as soon as that is discarded', () => {
  const { result, rerender } = shown('Ada');
  rerender({ saved: 'Ben' });
  expect(result.current.getValues()).toEqual({ name: 'Ben' });
  expect(result.current.isDirty()).toBe(false);

  act(() => result.current.setFieldValue('name', 'Typed'));
  rerender({ saved: 'Cy' });
  expect(result.current.getValues()).toEqual({ name: 'Typed' });
  act(() => result.current.reset());
  expect(result.current.getValues()).toEqual({ name: 'Cy' });
  expect(result.current.isDirty()).toBe(false);
});

it('keeps what was just saved here until it is read again', () => {
  const { result, rerender } = shown('Ada');
  act(() => result.current.setFieldValue('name', 'Mine'));
  act(() => result.current.resetDirty());
  expect(result.current.getValues()).toEqual({ name: 'Mine' });
  rerender({ saved: 'Mine' });
  expect(result.current.getValues()).toEqual({ name: 'Mine' });
  act(() => result.current.setFieldValue('name', 'Other'));
  act(() => result.current.reset());
  expect(result.current.getValues()).toEqual({ name: 'Mine' });
});
