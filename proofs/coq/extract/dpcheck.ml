(* dpcheck [--seconds N] FILE...: the verdict of the extracted checker.
   0 accepted, 1 rejected, 2 not a certificate, 4 not decided: the file asks for more than N seconds
   of the processor (60 where nothing is said), or for more memory than 2 GiB, or 1 GiB of stack; of several files the largest.
   dpcheck [--seconds N] --named: files are named on standard input, one a line; after each comes a line with its status.
   Trusted here: reading JSON. Everything else is extracted from Coq. *)
open Verdict

exception Malformed
exception Too_deep
exception Too_long
exception Too_much_work

let depth = 200
let longest = 1 lsl 26
let seconds = ref 60.
let words = 1 lsl 28 (* of memory *)

(* One character as UTF-8. *)
let add_utf8 b c =
  let put n = Buffer.add_char b (Char.chr n) in
  if c < 0x80 then put c
  else if c < 0x800 then (put (0xc0 lor (c lsr 6)); put (0x80 lor (c land 63)))
  else if c < 0x10000 then (put (0xe0 lor (c lsr 12)); put (0x80 lor ((c lsr 6) land 63)); put (0x80 lor (c land 63)))
  else (put (0xf0 lor (c lsr 18)); put (0x80 lor ((c lsr 12) land 63)); put (0x80 lor ((c lsr 6) land 63)); put (0x80 lor (c land 63)))

(* Whether the bytes are UTF-8: of each character the first byte says how many follow, and the second what would be too long,
   beyond Unicode, or half a pair. *)
let is_utf8 s =
  let n = String.length s in
  let byte i = if i < n then Char.code s.[i] else 0 in
  let follows i = byte i land 0xc0 = 0x80 in
  let rec from i =
    if i >= n then true
    else
      let c = byte i and d = byte (i + 1) in
      if c < 0x80 then from (i + 1)
      else if c >= 0xc2 && c < 0xe0 then follows (i + 1) && from (i + 2)
      else if c >= 0xe0 && c < 0xf0 then
        follows (i + 1) && follows (i + 2) && (c <> 0xe0 || d >= 0xa0) && (c <> 0xed || d < 0xa0) && from (i + 3)
      else if c >= 0xf0 && c < 0xf5 then
        follows (i + 1) && follows (i + 2) && follows (i + 3) && (c <> 0xf0 || d >= 0x90) && (c <> 0xf4 || d < 0x90) && from (i + 4)
      else false in
  from 0

(* How deep brackets are nested outside of texts, whatever they enclose: what is no JSON may also be too deep. *)
let brackets s =
  let n = String.length s in
  let rec from i level most inside =
    if i >= n then most
    else match s.[i] with
      | '\\' when i + 1 < n && (s.[i + 1] = '\\' || s.[i + 1] = '"') -> from (i + 2) level most inside
      | '"' -> from (i + 1) level most (not inside)
      | '[' | '{' when not inside -> from (i + 1) (level + 1) (max most (level + 1)) inside
      | ']' | '}' when not inside -> from (i + 1) (level - 1) most inside
      | _ -> from (i + 1) level most inside in
  from 0 0 0 false

let parse s =
  if not (is_utf8 s) then raise Malformed;
  if brackets s > depth then raise Too_deep;
  let n = String.length s and i = ref 0 in
  let peek () = if !i < n then s.[!i] else '\000' in
  let next () = if !i >= n then raise Malformed; let c = s.[!i] in incr i; c in
  let rec space () = match peek () with ' ' | '\t' | '\n' | '\r' when !i < n -> incr i; space () | _ -> () in
  let word w v = if !i + String.length w <= n && String.sub s !i (String.length w) = w then (i := !i + String.length w; v) else raise Malformed in
  let hex () =
    let digit c = match c with '0'..'9' -> Char.code c - 48 | 'a'..'f' -> Char.code c - 87 | 'A'..'F' -> Char.code c - 55 | _ -> raise Malformed in
    let rec go k a = if k = 0 then a else let d = digit (next ()) in go (k - 1) (16 * a + d) in go 4 0 in
  let text () =
    let b = Buffer.create 32 in
    let rec go () = match next () with
      | '"' -> Buffer.contents b
      | '\\' -> (match next () with
          | 'n' -> Buffer.add_char b '\n' | 't' -> Buffer.add_char b '\t' | 'r' -> Buffer.add_char b '\r'
          | 'b' -> Buffer.add_char b '\b' | 'f' -> Buffer.add_char b '\012'
          | ('"' | '\\' | '/') as c -> Buffer.add_char b c
          | 'u' ->
              let c = hex () in
              if c >= 0xd800 && c < 0xdc00 && !i + 6 <= n && s.[!i] = '\\' && s.[!i + 1] = 'u' then begin
                let back = !i in i := !i + 2;
                let d = hex () in
                if d >= 0xdc00 && d < 0xe000 then add_utf8 b (0x10000 + ((c - 0xd800) lsl 10) + (d - 0xdc00))
                else (i := back; add_utf8 b c)
              end else add_utf8 b c
          | _ -> raise Malformed); go ()
      | c when Char.code c < 32 -> raise Malformed
      | c -> Buffer.add_char b c; go () in
    go () in
  let digits () =
    let from = !i in
    while (match peek () with '0'..'9' -> !i < n | _ -> false) do incr i done;
    if !i = from then raise Malformed in
  let number () =
    if peek () = '-' then incr i;
    if peek () = 'I' then word "Infinity" JBad
    else begin
      if peek () = '0' then incr i else digits ();
      if peek () = '.' then (incr i; digits ());
      (match peek () with 'e' | 'E' -> incr i; (match peek () with '+' | '-' -> incr i | _ -> ()); digits () | _ -> ());
      JBad
    end in
  let rec value level =
    space ();
    let found = match peek () with
      | '{' | '[' when level >= depth -> raise Too_deep
      | '{' -> incr i; space (); if peek () = '}' then (incr i; JObject []) else members level []
      | '[' -> incr i; space (); if peek () = ']' then (incr i; JList []) else elements level []
      | '"' -> incr i; JText (text ())
      | 't' -> word "true" (JBool true) | 'f' -> word "false" (JBool false) | 'n' -> word "null" JNull
      | 'N' -> word "NaN" JBad | 'I' -> word "Infinity" JBad
      | _ -> number () in
    space (); found
  and elements level l =
    let x = value (level + 1) in
    match next () with ',' -> elements level (x :: l) | ']' -> JList (List.rev (x :: l)) | _ -> raise Malformed
  and members level l =
    space (); if next () <> '"' then raise Malformed;
    let name = text () in
    space (); if next () <> ':' then raise Malformed;
    let l = (name, value (level + 1)) :: l in
    match next () with
    | ',' -> members level l
    | '}' ->
        let names = List.sort_uniq compare (List.map fst l) in
        if List.length names < List.length l then JBad else JObject (List.rev l)
    | _ -> raise Malformed in
  let found = value 0 in
  if !i <> n then raise Malformed;
  found

(* All of a file, a pipe too, whose length nobody knows beforehand. *)
let read path =
  let file = open_in_bin path in
  let found = Buffer.create 65536 and chunk = Bytes.create 65536 in
  let rec more () =
    let n = input file chunk 0 (Bytes.length chunk) in
    Buffer.add_subbytes found chunk 0 n;
    if Buffer.length found > longest then raise Too_long;
    if n > 0 then more () in
  Fun.protect ~finally:(fun () -> close_in_noerr file) more;
  Buffer.contents found

(* Whatever lives on a deep stack is looked through each time young memory is full: with much of that, seldom. *)
let () = Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 22 }

(* The clock is the processor's for this program, so that a busy machine decides nothing. *)
let limited work x =
  let clock at = ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { Unix.it_interval = 0.; it_value = at }) in
  Sys.set_signal Sys.sigvtalrm (Sys.Signal_handle (fun _ -> raise Too_much_work));
  let alarm = Gc.create_alarm (fun () -> if (Gc.quick_stat ()).Gc.heap_words > words then raise Out_of_memory) in
  clock !seconds;
  Fun.protect ~finally:(fun () -> clock 0.; Gc.delete_alarm alarm) (fun () -> work x)

(* SHA-256, by FIPS 180-4: of 32-bit words in whole numbers of 63 bits. The constants are the first bits of the fractions of
   the roots of primes, square and cube; they are worked out, not copied, so that none can be misspelt. *)
let word = 0xffffffff
let primes =
  let rec go found n = if List.length found = 64 then List.rev found
    else go (if List.exists (fun p -> n mod p = 0) found then found else n :: found) (n + 1) in
  Array.of_list (go [] 2)
(* The first 32 bits of the fraction of the root of n: the largest r with (r / 2^32)^k <= n, in digits to the base 2^16. *)
let times a b =
  let c = Array.make (Array.length a + Array.length b) 0 in
  Array.iteri (fun i x ->
    let carry = ref 0 in
    Array.iteri (fun j y -> let v = c.(i + j) + x * y + !carry in c.(i + j) <- v land 0xffff; carry := v lsr 16) b;
    c.(i + Array.length b) <- !carry) a;
  c
let digits r = Array.init 3 (fun i -> (r lsr (16 * i)) land 0xffff)
let at_most a n k =
  let rec compare i =
    if i < 0 then true
    else let x = a.(i) and y = if i = 2 * k then n else 0 in
      if x <> y then x < y else compare (i - 1) in
  compare (Array.length a - 1)
let fraction_of_root k n =
  let power r = let d = digits r in if k = 2 then times d d else times (times d d) d in
  let rec search low high =
    if high - low = 1 then low else let r = (low + high) / 2 in if at_most (power r) n k then search r high else search low r in
  search 0 (1 lsl 40) land word
let cubes = Array.map (fraction_of_root 3) primes
let squares = Array.map (fraction_of_root 2) (Array.sub primes 0 8)

let sha256 s =
  let n = String.length s in
  let padded = (n + 8) / 64 * 64 + 64 in
  let m = Bytes.make padded '\000' in
  Bytes.blit_string s 0 m 0 n;
  Bytes.set m n '\128';
  for i = 0 to 7 do Bytes.set m (padded - 1 - i) (Char.chr (((8 * n) lsr (8 * i)) land 255)) done;
  let turned x k = ((x lsr k) lor (x lsl (32 - k))) land word in
  let h = Array.copy squares and w = Array.make 64 0 in
  for block = 0 to padded / 64 - 1 do
    for i = 0 to 15 do
      let byte j = Char.code (Bytes.get m (64 * block + 4 * i + j)) in
      w.(i) <- (byte 0 lsl 24) lor (byte 1 lsl 16) lor (byte 2 lsl 8) lor byte 3
    done;
    for i = 16 to 63 do
      let x = w.(i - 15) and y = w.(i - 2) in
      let a = turned x 7 lxor turned x 18 lxor (x lsr 3) and b = turned y 17 lxor turned y 19 lxor (y lsr 10) in
      w.(i) <- (w.(i - 16) + a + w.(i - 7) + b) land word
    done;
    let v = Array.copy h in
    for i = 0 to 63 do
      let e = v.(4) and a = v.(0) in
      let s1 = turned e 6 lxor turned e 11 lxor turned e 25 and ch = (e land v.(5)) lxor ((lnot e) land v.(6)) in
      let t1 = v.(7) + s1 + (ch land word) + cubes.(i) + w.(i) in
      let s0 = turned a 2 lxor turned a 13 lxor turned a 22 and maj = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + t1) land word;
      v.(0) <- (t1 + s0 + maj) land word
    done;
    Array.iteri (fun i x -> h.(i) <- (x + v.(i)) land word) h
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))

let version = "0.1.0"
let myself = lazy ("checker: dpcheck " ^ version ^ (try ", sha256 " ^ sha256 (read Sys.executable_name) with _ -> ""))
let trusted = [
  "trusted: the library runs what the derivation says, on data of the input space, with exactly the noise named";
  "trusted: functions of rows are pure and total; Coq, its extraction, OCaml, and the reading of JSON here; how long a release takes is not covered"]

(* A path may hold any bytes: one that is no part of UTF-8 is shown as Python does, as half of a pair. *)
let shown path =
  let n = String.length path and b = Buffer.create 64 in
  let rec from i =
    if i < n then
      match List.find_opt (fun k -> i + k <= n && is_utf8 (String.sub path i k)) [1; 2; 3; 4] with
      | Some k -> Buffer.add_string b (String.sub path i k); from (i + k)
      | None -> add_utf8 b (0xdc00 + Char.code path.[i]); from (i + 1) in
  from 0;
  quoted_path (Buffer.contents b)

(* The verdict in the order of all three checkers: which file and whose verdict; what is claimed, what deserves attention, what
   is assumed; what stays trusted; the rules. *)
let judge path =
  let status, first, lines =
    match read path with
    | exception Too_long -> 1, "rejected: longer than a certificate may be", ["file: " ^ shown path]
    | exception (Sys_error _ | End_of_file) -> 2, "not a certificate: " ^ shown path ^ ": it cannot be read", ["file: not read"]
    | s ->
        let file = "file: sha256 " ^ sha256 s in
        let named = file ^ ", " ^ shown path in
        let verdict s = let found = parse s in match verdict_on found with Accepted -> Accepted, told_of found | other -> other, ([], []) in
        match limited verdict s with
        | Accepted, (before, after) -> 0, "verified: " ^ shown path, (file :: Lazy.force myself :: before) @ trusted @ after
        | Rejected, _ -> 1, "rejected", [named]
        | exception Malformed -> 2, "not a certificate: " ^ shown path ^ ": no JSON", [file]
        | exception Too_deep -> 1, "rejected: nested too deep", [named]
        | exception Too_much_work -> 4, Printf.sprintf "not decided: more than %g seconds of work" !seconds, [named]
        | exception (Stack_overflow | Out_of_memory) -> 4, "not decided: more memory than it may take", [named] in
  List.iter print_endline (first :: lines @ (if status = 0 then [] else [Lazy.force myself]));
  status

let rec judge_named () =
  match input_line stdin with
  | path -> let status = judge path in print_endline (string_of_int status); judge_named ()
  | exception End_of_file -> ()

let rec main = function
  | ["--sha256"; path] -> print_endline (sha256 (read path))
  | ["--rules"] -> List.iter print_endline (List.sort compare rules_followed)
  | "--seconds" :: n :: rest when float_of_string_opt n > Some 0. -> seconds := float_of_string n; main rest
  | ["--named"] -> judge_named ()
  | [] -> exit 2
  | paths -> exit (List.fold_left (fun status path -> max status (judge path)) 0 paths)

(* A list of so many members is followed that deep. OCaml 4 has the stack that the system gives it, often enough for some
   hundred thousand only, so it begins again with as much as it may have, a gibibyte at most; OCaml 5 has that by itself.
   Where that is refused, it goes on with what there is. *)
let deeper = "ulimit -s 1048576 2>/dev/null || ulimit -s \"$(ulimit -H -s)\" 2>/dev/null; exec \"$0\" \"$@\""
let begun_again = "DPCHECK_BEGUN_AGAIN"
let () =
  if Sys.ocaml_version < "5" && Sys.getenv_opt begun_again = None then
    try
      Unix.putenv begun_again "1";
      Unix.execv "/bin/sh" (Array.append [| "sh"; "-c"; deeper; Sys.executable_name |] (Array.sub Sys.argv 1 (Array.length Sys.argv - 1)))
    with Unix.Unix_error _ -> ()

(* A verdict that nobody could read is none. *)
let () = try main (List.tl (Array.to_list Sys.argv)) with Sys_error why -> prerr_endline ("dpcheck: " ^ why); exit 2
