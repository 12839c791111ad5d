import { fireEvent } from '@testing-library/react';
import { Menu } from '@mantine/core';
import { expect, test } from 'vitest';
import { lazyMenu, type LazyMenuProps } from '../src/app/lazy-menu.tsx';
import { screen, renderScreen, waitFor } from './screen.tsx';

/** The menu's code loads when the test calls this. */
function delayedMenu() {
  let load = (): void => {};
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  const LazyButtonMenu = lazyMenu(async () => {
    await loaded;
    return ({ opened, target }: LazyMenuProps) => (
      <Menu defaultOpened={opened}>
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    );
  }, 'rail');
  return { LazyButtonMenu, load };
}
const button = () => screen.findByRole('button', { name: 'Your menu' });
/** Waits until the menu uses its button. */
const waitForMenu = async () => waitFor(async () => expect((await button()).id).not.toBe(''));

test('a press that began before the menu was loaded opens it, and its button keeps the focus', async () => {
  const { LazyButtonMenu, load } = delayedMenu();
  renderScreen(<LazyButtonMenu>Your menu</LazyButtonMenu>);
  const pressed = await button();
  pressed.focus();
  fireEvent.mouseDown(pressed);
  load();
  await waitForMenu();
  fireEvent.mouseUp(pressed);
  fireEvent.click(pressed);
  await screen.findByRole('menuitem', { name: 'Sign out' });
  expect([await button(), pressed.isConnected]).toEqual([pressed, true]);
});

test('pressed before it was loaded, the menu opens once loaded and closes with the next press', async () => {
  const { LazyButtonMenu, load } = delayedMenu();
  const { user } = renderScreen(<LazyButtonMenu>Your menu</LazyButtonMenu>);
  await user.click(await button());
  expect(screen.queryByRole('menuitem')).toBeNull();
  load();
  await screen.findByRole('menuitem', { name: 'Sign out' });
  expect((await button()).getAttribute('aria-expanded')).toBe('true');
  await user.click(await button());
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  await waitFor(async () => expect((await button()).getAttribute('aria-expanded')).toBe('false'));
});

test('the keyboard opens the menu, and Escape returns the focus to its button', async () => {
  const { LazyButtonMenu, load } = delayedMenu();
  const { user } = renderScreen(<LazyButtonMenu>Your menu</LazyButtonMenu>);
  (await button()).focus();
  load();
  await waitForMenu();
  expect(document.activeElement).toBe(await button());
  await user.keyboard('{Enter}');
  await screen.findByRole('menuitem', { name: 'Sign out' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  await waitFor(async () => expect(document.activeElement).toBe(await button()));
});
