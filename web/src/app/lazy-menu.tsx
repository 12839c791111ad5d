import {
  lazy,
  Suspense,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { importWithRetry } from '#ui';
import { firstScreenReady } from '../shared/first-screen.ts';

type ButtonProps = React.ButtonHTMLAttributes<HTMLButtonElement>;
/** What a menu is given: whether its button was pressed before it was there, and what to put in its `Target`. */
export interface LazyMenuProps {
  opened: boolean;
  target: ReactElement<ButtonProps>;
}

/**
 * A button whose menu is loaded after the first screen. Pressed before that, the menu opens once loaded.
 * It is the same button before and after: another in its place would lose the focus, and a press that has only begun.
 */
export function lazyMenu(
  load: () => Promise<ComponentType<LazyMenuProps>>,
  className: string | undefined,
) {
  const Menu = lazy(() =>
    firstScreenReady.then(() => importWithRetry(load)).then((menu) => ({ default: menu })),
  );
  return function LateMenu({ children }: { children: ReactNode }) {
    const button = useRef<HTMLButtonElement>(null);
    const [pressed, setPressed] = useState(false);
    const [buttonProps, setButtonProps] = useState<ButtonProps>({
      onClick: () => setPressed(true),
    });
    const menu = useMemo(
      () => <Menu opened={pressed} target={<Target button={button} onProps={setButtonProps} />} />,
      [pressed],
    );
    return (
      <>
        <button
          type="button"
          aria-haspopup="menu"
          {...buttonProps}
          ref={button}
          className={className}
        >
          {children}
        </button>
        <Suspense fallback={null}>{menu}</Suspense>
      </>
    );
  };
}

/** In a menu's `Target`, the button that is there already: passes it what the menu gives its target, and the menu its element. */
function Target({
  button,
  onProps,
  ref,
  ...given
}: {
  button: RefObject<HTMLButtonElement | null>;
  onProps: (props: ButtonProps) => void;
  ref?: Ref<HTMLButtonElement>;
} & ButtonProps): null {
  useImperativeHandle(ref, () => button.current!, []);
  useLayoutEffect(() => onProps(given));
  return null;
}
