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
/**
 * Props of a lazy menu: whether its button was pressed before the menu was loaded, and the content
 * of its `Target`.
 */
export interface LazyMenuProps {
  opened: boolean;
  target: ReactElement<ButtonProps>;
}

/**
 * A button whose menu is loaded after the first screen. If it is pressed earlier, the menu opens
 * once loaded. The button element stays the same: replacing it would lose the focus and a press in
 * progress.
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

/**
 * Makes the existing button the menu's `Target`: the menu's props go to the button, and the
 * button's element to the menu.
 */
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
  useImperativeHandle(ref, () => button.current!, [button]);
  useLayoutEffect(() => onProps(given));
  return null;
}
