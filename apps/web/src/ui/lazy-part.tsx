/** Components whose code is loaded when they are first shown. */
import { Button, Paper, Stack } from '@mantine/core';
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Failure } from './failure.tsx';
import { LoadError, loadPart } from './load-part.ts';

interface LazyPartOptions<Props> {
  /** Shown while it is loaded, with the same properties. */
  Fallback?: ComponentType<Props>;
  /** Whether the component is an overlay. Then its failure is an overlay, too. */
  isOverlay?: boolean;
}

/** A component whose code can be preloaded. A failure is shown when the component is rendered. */
type LazyPart<Props> = ComponentType<Props> & { preload(): void };

/**
 * Like `lazy` with its own `Suspense`. If the code cannot be loaded, the reason replaces the component,
 * and the rest of the page is not affected.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Fallback, isOverlay = false }: LazyPartOptions<Props> = {},
): LazyPart<Props> {
  let loaded: ReturnType<typeof create> | null = null;
  const create = () =>
    lazy(async () => {
      try {
        return { default: await loadPart(load) };
      } catch (error) {
        // React caches the rejection of a lazy component, so a retry needs a new one.
        loaded = null;
        throw error;
      }
    });
  const open = () => {
    loaded ??= create();
    return loaded;
  };
  const part = (props: Props) => (
    <LoadedPart open={open} fallback={Fallback && createElement(Fallback, props)} isOverlay={isOverlay}>
      {(Part) => createElement<Props>(Part, props)}
    </LoadedPart>
  );
  return Object.assign(part, { preload: () => void loadPart(load).catch(() => undefined) });
}

interface LoadedPartProps<Part> {
  /** Starts loading. */
  open(): Part;
  fallback: ReactNode;
  isOverlay: boolean;
  children(part: Part): ReactNode;
}

function LoadedPart<Part extends object>({ open, fallback, isOverlay, children }: LoadedPartProps<Part>) {
  const [part, setPart] = useState(open);
  return (
    <LoadBoundary isOverlay={isOverlay} onRetry={() => setPart(open())}>
      <Suspense fallback={fallback}>{children(part)}</Suspense>
    </LoadBoundary>
  );
}

interface LoadBoundaryProps {
  isOverlay: boolean;
  onRetry(): void;
  children: ReactNode;
}

/** An error boundary that catches only `LoadError`. */
class LoadBoundary extends Component<LoadBoundaryProps, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error }: { error: unknown } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof LoadError)) throw error;
    const retry = () => {
      this.props.onRetry();
      this.setState({ error: null });
    };
    return <LoadFailure error={error} isOverlay={this.props.isOverlay} onRetry={retry} />;
  }
}

interface LoadFailureProps {
  error: LoadError;
  isOverlay: boolean;
  onRetry(): void;
}

function LoadFailure({ error, isOverlay, onRetry }: LoadFailureProps) {
  const t = useTranslations('states');
  const content = (
    <Stack gap="xs" align="flex-start">
      <Failure error={error} />
      {error.needsReload ? (
        <Button onClick={() => window.location.reload()}>{t('reload')}</Button>
      ) : (
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </Stack>
  );
  if (!isOverlay) return content;
  // Positioned above the notice about a lost connection.
  return (
    <Paper withBorder shadow="md" p="sm" pos="fixed" bottom="4rem" right="1rem" maw="calc(100vw - 2rem)" w={420}>
      {content}
    </Paper>
  );
}
