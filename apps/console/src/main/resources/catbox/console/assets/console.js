// Makes the console smoother. Every page works without it.
(() => {
  'use strict';

  const WINDOW_SECONDS = 300;
  const WIDTH = 600;
  const HEIGHT = 120;
  // Which columns of a row of pulses a chart draws: second, delivered, failed, p50, p99, oldest pending.
  const SERIES = { throughput: [1, 2], latency: [3, 4], lag: [5] };

  // How long no pulse may come before the page says so: a stream ends now and then, and the browser opens it again.
  const QUIET_MILLIS = 12000;
  const AGAIN_MILLIS = 5000;

  let rows = [];
  let stream = null;
  let heardAt = 0;
  // Two signs that the page is out of date; neither may hide what the other shows.
  const lost = { stream: false, request: false };

  // ---- charts -------------------------------------------------------------------------------------------------

  function top(max) {
    let edge = 1;
    for (let i = 0; edge < max && i < 60; i++) {
      edge *= i % 3 === 1 ? 2.5 : 2;
    }
    return edge;
  }

  function plain(value) {
    return value === null || value === undefined ? '–' : Number.isInteger(value) ? String(value) : value.toFixed(1);
  }

  function path(column, edge, end) {
    let drawn = '';
    let pen = false;
    for (const row of rows) {
      const x = WIDTH * (1 - (end - row[0]) / WINDOW_SECONDS);
      const value = row[column];
      if (value === null || x < 0) {
        pen = false;
        continue;
      }
      drawn += (pen ? 'L' : 'M') + x.toFixed(1) + ' ' + (HEIGHT - value / edge * (HEIGHT - 4) - 2).toFixed(1);
      pen = true;
    }
    return drawn;
  }

  function draw() {
    if (rows.length === 0) {
      return;
    }
    const end = rows[rows.length - 1][0];
    for (const figure of document.querySelectorAll('[data-chart]')) {
      const columns = SERIES[figure.dataset.chart];
      const edge = top(Math.max(0, ...columns.flatMap(column => rows.map(row => row[column] || 0))));
      figure.querySelector('[data-top]').textContent = plain(edge);
      columns.forEach((column, i) => {
        figure.querySelector('.line.line-' + i).setAttribute('d', path(column, edge, end));
        figure.querySelector('.legend .line-' + i + ' [data-latest]').textContent = plain(rows[rows.length - 1][column]);
      });
    }
  }

  // ---- the stream ---------------------------------------------------------------------------------------------

  function live(name, text) {
    const element = document.querySelector('[data-live="' + name + '"]');
    if (element) {
      element.textContent = text;
    }
  }

  // A count that may have stopped at a limit; the server leaves out what it does not know.
  function counted(count) {
    return count === null || count === undefined ? '–' : grouped(count.counted) + (count.more ? '+' : '');
  }

  function grouped(number) {
    return Math.round(number).toLocaleString('en-US');
  }

  // As the server paints it first.
  function rate(perSecond) {
    return perSecond >= 10 || Number.isInteger(perSecond) ? grouped(perSecond) : perSecond.toFixed(1);
  }

  function take(pulse) {
    const charts = document.getElementById('charts');
    if (!charts || pulse.source !== charts.dataset.source) {
      return;
    }
    const or = value => value === undefined ? null : value;
    const second = Math.floor(Date.parse(pulse.at) / 1000);
    if (rows.length > 0 && rows[rows.length - 1][0] >= second) {
      return;
    }
    rows.push([second, pulse.deliveredPerSecond, pulse.failedPerSecond, or(pulse.latencyP50Millis),
      or(pulse.latencyP99Millis), or(pulse.oldestPendingSeconds)]);
    rows = rows.filter(row => row[0] > second - WINDOW_SECONDS);
    draw();
    live('pending', counted(pulse.pending));
    live('oldest', or(pulse.oldestPendingSeconds) === null ? '–' : span(pulse.oldestPendingSeconds * 1000));
    live('delivered', rate(pulse.deliveredPerSecond));
    live('failed', rate(pulse.failedPerSecond));
    live('dead', counted(pulse.dead));
    document.getElementById('flow').classList.toggle('is-flowing', pulse.deliveredPerSecond > 0);
  }

  function listen() {
    const charts = document.getElementById('charts');
    if (!charts) {
      if (stream) {
        stream.close();
        stream = null;
      }
      setLost('stream', false);
      return;
    }
    rows = JSON.parse(charts.dataset.pulses || '[]');
    if (!stream && window.EventSource) {
      heardAt = Date.now();
      subscribe();
    }
  }

  function subscribe() {
    stream = new EventSource('/api/stream');
    stream.addEventListener('pulse', event => {
      heardAt = Date.now();
      setLost('stream', false);
      take(JSON.parse(event.data));
    });
    // A browser reconnects unless the server refused the stream.
    stream.onerror = () => {
      if (stream && stream.readyState === EventSource.CLOSED) {
        stream = null;
        setTimeout(() => !stream && document.getElementById('charts') && subscribe(), AGAIN_MILLIS);
      }
    };
  }

  function checkStream() {
    if (document.getElementById('charts') && heardAt > 0 && Date.now() - heardAt > QUIET_MILLIS) {
      setLost('stream', true);
    }
  }

  function setLost(by, isLost) {
    lost[by] = isLost;
    const banner = document.getElementById('lost');
    if (banner) {
      banner.hidden = !lost.stream && !lost.request;
    }
  }

  // ---- times --------------------------------------------------------------------------------------------------

  function span(millis) {
    const seconds = Math.floor(millis / 1000);
    return millis === 0 ? '0 s' : seconds < 1 ? Math.round(millis) + ' ms' : seconds < 120 ? seconds + ' s'
      : seconds < 7200 ? Math.floor(seconds / 60) + ' min'
      : seconds < 172800 ? Math.floor(seconds / 3600) + ' h' : Math.floor(seconds / 86400) + ' days';
  }

  function age() {
    for (const time of document.querySelectorAll('time[data-ago]')) {
      const millis = Date.now() - Date.parse(time.dateTime);
      if (!Number.isNaN(millis)) {
        time.textContent = Math.abs(millis) < 1000 ? 'just now' : millis < 0 ? 'in ' + span(-millis) : span(millis) + ' ago';
      }
    }
  }

  // ---- the list of pages, which is longer than a phone is wide ------------------------------------------------

  function reach() {
    const chosen = document.querySelector('.nav [aria-current]');
    if (chosen) {
      const list = chosen.closest('ul');
      const place = chosen.getBoundingClientRect();
      const frame = list.getBoundingClientRect();
      list.scrollLeft += place.left + place.width / 2 - frame.left - frame.width / 2;
    }
  }

  // ---- keys ---------------------------------------------------------------------------------------------------

  function step(by) {
    const links = [...document.querySelectorAll('main .row-link, main .attention-list a')];
    const at = links.indexOf(document.activeElement);
    const next = links[Math.min(links.length - 1, Math.max(0, at + by))];
    if (next) {
      next.focus();
    }
  }

  document.addEventListener('keydown', event => {
    const typing = event.target.closest('input, textarea, select');
    if (event.key === 'Escape') {
      document.querySelectorAll('details.menu[open], details.act[open]').forEach(menu => menu.removeAttribute('open'));
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === '/') {
      const search = document.getElementById('q');
      if (search) {
        event.preventDefault();
        search.focus();
        search.select();
      }
    } else if (event.key === 'j') {
      step(1);
    } else if (event.key === 'k') {
      step(-1);
    }
  });

  document.addEventListener('click', event => {
    document.querySelectorAll('details.menu[open]').forEach(menu => {
      if (!menu.contains(event.target)) {
        menu.removeAttribute('open');
      }
    });
  });

  // ---- htmx ---------------------------------------------------------------------------------------------------

  document.addEventListener('htmx:beforeRequest', event => {
    if (!event.detail.elt.matches('[hx-trigger]')) {
      document.getElementById('progress').classList.add('is-on');
    }
  });
  document.addEventListener('htmx:afterRequest', () => {
    const progress = document.getElementById('progress');
    if (progress) {
      progress.classList.remove('is-on');
    }
  });
  document.addEventListener('htmx:sendError', () => setLost('request', true));
  document.addEventListener('htmx:beforeSwap', event => {
    const refreshes = event.detail.elt.matches('[hx-trigger]');
    if (new URL(event.detail.xhr.responseURL, location.href).pathname === '/login') {
      // The session has ended: the whole page has to go there, not a part of this one.
      event.detail.shouldSwap = false;
      location.assign('/login');
    } else if (refreshes) {
      // A part that refreshes itself stays as it is while it is in use, or if its refresh fails.
      const inUse = event.detail.target.contains(document.activeElement) && document.activeElement.matches('input, textarea, select');
      event.detail.shouldSwap = event.detail.xhr.status < 400 && !inUse;
      setLost('request', event.detail.xhr.status >= 400);
    }
  });
  // So do the buttons next to it, while a form of theirs is open or has the focus.
  document.addEventListener('htmx:oobBeforeSwap', event => {
    const place = event.detail.target;
    event.detail.shouldSwap = !place.contains(document.activeElement) && !place.querySelector('details[open]');
  });
  document.addEventListener('htmx:afterSettle', event => {
    if (event.detail.target === document.body) {
      setLost('request', false);
      listen();
      reach();
    }
    age();
  });

  listen();
  reach();
  age();
  setInterval(() => {
    age();
    checkStream();
  }, 1000);
})();
