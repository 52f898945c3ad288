#!/bin/sh
# A Python for tests of ./run: makes environments at once and writes down what it was
# asked for. FAKE_* say how it behaves; other work goes to the real one.
echo "python $*" >>"$FAKE_CALLS"
here=$(dirname "$0")
case "$*" in
    *find_spec*) printf '%s 3.99.0 %s' "${FAKE_VERDICT:-whole}" "$0" ;;
    *"-m venv "*)
        for last; do :; done
        mkdir -p "$last/bin"
        cp "$0" "$last/bin/python"
        : >"$last/pyvenv.cfg"
        ;;
    *"-m pip "*install*)
        if [ -n "${FAKE_PIP:-}" ]; then echo "$FAKE_PIP"; exit 1; fi
        case "$*" in *"--python "*) here=$(dirname "$5") ;; esac
        cat >"$here/uv" <<'UV'
#!/bin/sh
echo "uv $*" >>"$FAKE_CALLS"
case "$*" in
    *" sync "*)
        [ -z "${FAKE_KILL:-}" ] || kill -9 0
        [ -z "${FAKE_GATE:-}" ] || read -r _ <"$FAKE_GATE"
        cp "$FAKE_TOOLS"/* "$(dirname "$0")"
        ;;
esac
UV
        chmod +x "$here/uv"
        ;;
    *) exec "$FAKE_REAL" "$@" ;;
esac
