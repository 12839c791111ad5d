import { lazy, Suspense, useEffect, useRef, type ComponentType } from 'react';
import { sentences } from '#contract/sentences';
import {
  TextInput,
  type DrawerProps,
  type ModalProps,
  type NumberInputProps,
  type TextInputProps,
} from '@mantine/core';
import { toast } from '../toast.ts';

/** Imports a chunk, retrying until the network is back. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (let waitMs = 1000; ; waitMs = Math.min(waitMs * 2, 30_000)) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }
}

/** Shown instead of a component that couldn't be loaded; opening it again retries. */
function LoadFailed({ onClose, close }: { onClose?: () => void; close?: () => void }): null {
  useEffect(() => {
    (onClose ?? close)?.();
  }, []); // eslint-disable-line -- once
  return null;
}

/**
 * A component that is loaded when it is first shown, such as a dialog. With a property `opened`, it
 * is first shown when that is true and stays mounted, so that it can animate out and restore the
 * focus. If loading fails it shows a message and is loaded again the next time.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const make = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch {
        latest = make();
        toast.warn(sentences.unreachable);
        return { default: LoadFailed as ComponentType<P> };
      }
    }) as unknown as ComponentType<P>; // `lazy` cannot express that it takes the properties of the loaded component
  let latest = make();
  return function LazyPart(props: P) {
    const wasShown = useRef(false);
    // An `opened` that is not a boolean, such as a callback, does not control visibility.
    const { opened } = props as { opened?: unknown };
    const isShown = opened !== false;
    const part = useRef({ Part: latest, isShown: false });
    if (isShown && !part.current.isShown) part.current.Part = latest;
    part.current.isShown = isShown;
    const { Part } = part.current;
    wasShown.current ||= isShown;
    return (
      wasShown.current && (
        <Suspense fallback={null}>
          <Part {...props} />
        </Suspense>
      )
    );
  };
}

const loadOverlays = () => import('./lazy/windows.ts');
const loadNumberInput = () => import('./lazy/numbers.ts');
const NumberField = lazy(async () => ({
  default: (await loadNumberInput()).NumberInput as ComponentType<NumberInputProps>,
}));

/** Loads the components that most screens need ahead of their first use. */
export const prefetchComponents = (): void =>
  void Promise.all([loadOverlays(), loadNumberInput()]).catch(() => {});

/** Mantine's Modal, with its properties. */
export const Modal = lazyComponent<ModalProps>(async () => (await loadOverlays()).Modal);
/** Mantine's Drawer, with its properties. */
export const Drawer = lazyComponent<DrawerProps>(async () => (await loadOverlays()).Drawer);

/** Mantine's NumberInput, with its properties; a placeholder keeps its space while it loads. */
export function NumberInput(props: NumberInputProps) {
  const looks = [
    'label',
    'description',
    'aria-label',
    'size',
    'w',
    'maw',
    'style',
    'className',
  ] as const;
  const shown = Object.fromEntries(
    looks.flatMap((name) => (props[name] === undefined ? [] : [[name, props[name]]])),
  );
  const waiting = (
    <TextInput
      {...(shown as TextInputProps)}
      value={String(props.value ?? '')}
      readOnly
      aria-busy
    />
  );
  return (
    <Suspense fallback={waiting}>
      <NumberField {...props} />
    </Suspense>
  );
}
