# Completion of mixlab for bash: commands, options, files, and the names that studies use, all asked of the program itself.
_mixlab() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} program=${COMP_WORDS[0]}
  COMPREPLY=()
  _mixlab_offer() { mapfile -t COMPREPLY < <(compgen "$@" -- "$word"); }
  _mixlab_files() {  # with one of these endings, and folders on the way
    local ending
    for ending in "$@"; do mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X "!*.$ending" -- "$word"); done
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -S / -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
  }
  _mixlab_names() { "$program" list 2>/dev/null | awk '/^  [a-z]/ { print $1 }'; }

  if [[ $COMP_CWORD -eq 1 ]]; then
    _mixlab_offer -W "$("$program" --help 2>/dev/null | awk '/^  [a-z]+  +/ { print $1 }') --help --version"
  elif [[ $word == -* ]]; then
    _mixlab_offer -W "$("$program" "$command" --help 2>/dev/null | grep -oE -- '(^| )--[a-z][a-z-]*' | sort -u)"
  else
    case $before in
      --engine) _mixlab_offer -W "auto lanes reference" ;;
      --until) _mixlab_offer -W "decided" ;;
      --format) _mixlab_offer -W "table csv json" ;;
      -o | --output) _mixlab_files h5 ;;
      *)
        case $command in
          describe) _mixlab_offer -W "$(_mixlab_names) study problem noise policy confidence expect sweep format" ;;
          list) _mixlab_offer -W "noise arms policies sets delays" ;;
          certify) _mixlab_offer -W "$("$program" list noise 2>/dev/null | awk '/^  [a-z]/ { print $1 }')" ; _mixlab_files cfg ;;
          run | submit | plan | rare | status) _mixlab_files cfg h5 ;;
          init) _mixlab_files cfg ;;
          *) _mixlab_files h5 ;;
        esac
        ;;
    esac
  fi
}
complete -F _mixlab mixlab
