(** * Reports in an order drawn fairly hide each other (Feldman, McMillan and Talwar 2021, Theorem 3.1)

    A report of any row comes, with some probability, from one of the two laws between which it has to be decided: it is a
    clone. Who sees all reports without their order sees how many clones are of either law, the report in question among
    them; and how many those are is known only within the spread of fair coins. The tail of these coins is bounded by a
    moment of both at once ([moment]), which is less than the theorem asks for. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation Bool.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Steps Combinators Parallel Choice PublishedRows LocalModel.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Fair coins: of c coins a show heads and b tails *)
Fixpoint coins (c : nat) (F : nat -> nat -> R) : R :=
  match c with
  | O => F O O
  | S c => / 2 * coins c (fun a b => F (S a) b) + / 2 * coins c (fun a b => F a (S b))
  end.

Lemma coins_le c : forall F G, (forall a b, (a + b)%nat = c -> F a b <= G a b) -> coins c F <= coins c G.
Proof.
  induction c as [|c IH]; intros F G H; simpl; [apply H; reflexivity|].
  assert (coins c (fun a b => F (S a) b) <= coins c (fun a b => G (S a) b)) by (apply IH; intros; apply H; lia).
  assert (coins c (fun a b => F a (S b)) <= coins c (fun a b => G a (S b))) by (apply IH; intros; apply H; lia). lra.
Qed.

Lemma coins_ext c F G : (forall a b, (a + b)%nat = c -> F a b = G a b) -> coins c F = coins c G.
Proof. intros H. apply Rle_antisym; apply coins_le; intros; rewrite H by assumption; lra. Qed.

Lemma coins_plus c : forall F G, coins c (fun a b => F a b + G a b) = coins c F + coins c G.
Proof. induction c as [|c IH]; intros F G; simpl; [reflexivity|]. rewrite !IH. lra. Qed.

Lemma coins_scale c k : forall F, coins c (fun a b => k * F a b) = k * coins c F.
Proof. induction c as [|c IH]; intros F; simpl; [reflexivity|]. rewrite !IH. lra. Qed.

(** A coin among c + 1 is as likely to be any of the heads. *)
Lemma coins_heads c : forall g, coins (S c) (fun a b => INR a * g a b) = INR (S c) / 2 * coins c (fun a b => g (S a) b).
Proof.
  induction c as [|c IH]; intros g; [simpl; lra|].
  assert (H : coins (S c) (fun a b => INR (S a) * g (S a) b) =
    coins (S c) (fun a b => INR a * g (S a) b) + coins (S c) (fun a b => g (S a) b)).
  { rewrite <- coins_plus. apply coins_ext. intros a b _. rewrite S_INR. ring. }
  change (/ 2 * coins (S c) (fun a b => INR (S a) * g (S a) b) + / 2 * coins (S c) (fun a b => INR a * g a (S b)) =
    INR (S (S c)) / 2 * (/ 2 * coins c (fun a b => g (S (S a)) b) + / 2 * coins c (fun a b => g (S a) (S b)))).
  rewrite H, (IH (fun a b => g (S a) b)), (IH (fun a b => g a (S b))).
  simpl coins at 2. rewrite (S_INR (S c)). field.
Qed.

Lemma coins_swap c : forall F, coins c (fun a b => F b a) = coins c F.
Proof.
  induction c as [|c IH]; intros F; simpl; [reflexivity|].
  rewrite (IH (fun b a => F b (S a))), (IH (fun b a => F (S b) a)). lra.
Qed.

Lemma coins_tails c g : coins (S c) (fun a b => INR b * g a b) = INR (S c) / 2 * coins c (fun a b => g a (S b)).
Proof.
  rewrite <- (coins_swap (S c)), (coins_heads c (fun a b => g b a)). f_equal. exact (coins_swap c (fun a b => g a (S b))).
Qed.

Lemma coins_moment c x y : coins c (fun a b => x ^ a * y ^ b) = ((x + y) / 2) ^ c.
Proof.
  induction c as [|c IH]; [simpl; lra|]. cbn [coins].
  rewrite (@coins_ext c (fun a b => x ^ S a * y ^ b) (fun a b => x * (x ^ a * y ^ b))) by (intros; simpl; ring).
  rewrite (@coins_ext c (fun a b => x ^ a * y ^ S b) (fun a b => y * (x ^ a * y ^ b))) by (intros; simpl; ring).
  rewrite !coins_scale, IH. simpl. field.
Qed.

(** What one coin more or less tells, where it is [u] a head and [v] a tail, but for what is too far off the mean. *)
Lemma coins_apart c u v x y g : u <= 1 -> v <= 1 -> 0 <= x -> 0 <= y -> (forall a b, 0 <= g a b <= 1) ->
  (forall a b, 0 < u * INR a + v * INR b -> 1 <= x ^ a * y ^ b) ->
  coins c (fun a b => u * g (S a) b + v * g a (S b)) <= 2 * ((x + y) / 2) ^ S c.
Proof.
  intros U V X Y G H. rewrite <- coins_moment, coins_plus, !coins_scale.
  pose proof (coins_heads c g) as Hh. pose proof (coins_tails c g) as Ht.
  assert (N : 0 < INR (S c)) by (apply lt_0_INR; lia). set (N' := INR (S c)) in *.
  set (s := coins c (fun a b => g (S a) b)) in *. set (t := coins c (fun a b => g a (S b))) in *.
  assert (B : coins (S c) (fun a b => u * (INR a * g a b) + v * (INR b * g a b)) <= coins (S c) (fun a b => N' * (x ^ a * y ^ b))).
  { apply coins_le. intros a b E. destruct (G a b) as [G0 G1].
    assert (P : 0 <= x ^ a * y ^ b) by (apply Rmult_le_pos; now apply pow_le).
    assert (E' : N' = INR a + INR b) by (unfold N'; rewrite <- plus_INR, E; reflexivity).
    pose proof (pos_INR a). pose proof (pos_INR b).
    replace (u * (INR a * g a b) + v * (INR b * g a b)) with ((u * INR a + v * INR b) * g a b) by ring.
    destruct (Rlt_dec 0 (u * INR a + v * INR b)) as [L|L].
    - specialize (H a b L). assert (u * INR a + v * INR b <= N') by nra.
      apply Rle_trans with (N' * 1); [|apply Rmult_le_compat_l; lra]. apply Rmult_le_compat; lra.
    - assert (0 <= N' * (x ^ a * y ^ b)) by (apply Rmult_le_pos; lra).
      assert ((u * INR a + v * INR b) * g a b <= 0) by (apply Rmult_le_0_r || nra; lra). lra. }
  rewrite coins_plus, !coins_scale, Hh, Ht in B.
  apply Rmult_le_reg_l with (N' / 2); [lra|]. lra.
Qed.

(** ** Rows of which some become clones *)
Section Clones.
Variables (T : Type) (zero one : T) (G : list T -> R) (q u v x y : R).
Hypothesis orderless : forall s t, Permutation s t -> G s = G t.
Hypothesis tested : forall s, 0 <= G s <= 1.
Hypothesis share : 0 <= q <= 1.
Hypothesis small : u <= 1 /\ v <= 1 /\ 0 <= x /\ 0 <= y.
Hypothesis far : forall a b, 0 < u * INR a + v * INR b -> 1 <= x ^ a * y ^ b.

(** With probability q a clone of either, else whatever is left. *)
Definition cloned (t : T) : Prop :=
  exists rest, forall s, G (t :: s) = q / 2 * G (zero :: s) + q / 2 * G (one :: s) + (1 - q) * G (rest :: s).

Definition held (a b : nat) (s : list T) : list T := (repeat zero a ++ repeat one b ++ s)%list.

Lemma held_zero a b s : G (held a b (zero :: s)) = G (held (S a) b s).
Proof.
  apply orderless. unfold held. simpl. symmetry. rewrite !app_assoc. apply Permutation_middle.
Qed.
Lemma held_one a b s : G (held a b (one :: s)) = G (held a (S b) s).
Proof. apply orderless. unfold held. apply Permutation_app_head. simpl. symmetry. apply Permutation_middle. Qed.
Lemma held_cons a b t s : G (held a b (t :: s)) = G (t :: held a b s).
Proof. apply orderless. unfold held. rewrite !app_assoc. symmetry. apply Permutation_middle. Qed.

Let M := (x + y) / 2.

Lemma clones_among os : Forall cloned os -> forall c s,
  coins c (fun a b => u * G (held (S a) b (os ++ s)) + v * G (held a (S b) (os ++ s))) <= 2 * M ^ S c * (1 - q + q * M) ^ length os.
Proof.
  destruct small as (U & V & X & Y).
  assert (M0 : 0 <= M) by (unfold M; lra).
  induction 1 as [|t os (rest & C) _ IH]; intros c s.
  - simpl length. rewrite pow_O, Rmult_1_r. apply (coins_apart c (fun a b => G (held a b s))); auto.
  - pose proof (IH (S c) s) as A. pose proof (IH c (rest :: s)) as B.
    set (F := fun a b => u * G (held (S a) b (os ++ s)) + v * G (held a (S b) (os ++ s))) in *.
    set (K := fun a b => u * G (held (S a) b (os ++ rest :: s)) + v * G (held a (S b) (os ++ rest :: s))) in *.
    assert (E : coins c (fun a b => u * G (held (S a) b ((t :: os) ++ s)) + v * G (held a (S b) ((t :: os) ++ s))) =
      q * coins (S c) F + (1 - q) * coins c K).
    { assert (D : forall a b, G (held a b ((t :: os) ++ s)) =
        q / 2 * G (held (S a) b (os ++ s)) + q / 2 * G (held a (S b) (os ++ s)) + (1 - q) * G (held a b (os ++ rest :: s))).
      { intros a b. simpl app. rewrite held_cons, C. rewrite <- !held_cons, held_zero, held_one.
        do 2 f_equal. apply orderless. unfold held. do 2 apply Permutation_app_head. apply Permutation_middle. }
      transitivity (coins c (fun a b => q / 2 * F (S a) b + q / 2 * F a (S b) + (1 - q) * K a b)).
      - apply coins_ext. intros a b _. rewrite !D. unfold F, K. ring.
      - rewrite !coins_plus, !coins_scale. cbn [coins]. field. }
    rewrite E. clear E. simpl length. rewrite <- (tech_pow_Rmult (1 - q + q * M)).
    set (w := (1 - q + q * M) ^ length os) in *. rewrite <- (tech_pow_Rmult M (S c)) in A.
    set (m := M ^ S c) in *. nra.
Qed.

(** Between a clone of one more likely, and of the other. *)
Theorem clones os : Forall cloned os -> u * G (zero :: os) + v * G (one :: os) <= 2 * M * (1 - q + q * M) ^ length os.
Proof.
  intros C. pose proof (clones_among C 0 []) as H. unfold held in H. simpl in H. rewrite !app_nil_r, Rmult_1_r in H. exact H.
Qed.
End Clones.

(** ** The tail *)
(** A coin is worth [1 + h] as a head, and at most [1/(1 + (1 + k) h)] as a tail. *)
Lemma tail_worth k h : 0 <= k -> 0 <= h -> exp (- (1 + k) * ln (1 + h)) <= / (1 + (1 + k) * h).
Proof.
  intros K H. set (t := ln (1 + h)). assert (E : exp t = 1 + h) by (apply exp_ln; lra).
  assert (L : h / (1 + h) <= t).
  { pose proof (exp_ineq1_le (- t)) as I. rewrite exp_Ropp, E in I.
    replace (h / (1 + h)) with (1 - / (1 + h)) by (field; lra). lra. }
  replace (- (1 + k) * t) with (- ((1 + k) * t)) by ring. rewrite exp_Ropp. apply Rinv_le_contravar; [nra|].
  replace ((1 + k) * t) with (t + k * t) by ring. rewrite exp_plus, E.
  pose proof (exp_ineq1_le (k * t)) as I.
  assert (k * (h / (1 + h)) <= k * t) by (now apply Rmult_le_compat_l).
  replace (1 + (1 + k) * h) with ((1 + h) * (1 + k * (h / (1 + h)))) by (field; lra).
  apply Rmult_le_compat_l; lra.
Qed.

(** [moment]: x and y for coins of which more than 1 + k heads are to a tail. *)
Lemma moment k : 0 <= k <= 2 -> exists x y, 0 <= x /\ 0 <= y /\ (x + y) / 2 <= 1 - k * k / 64 /\
  forall a b, (1 + k) * INR b <= INR a -> 1 <= x ^ a * y ^ b.
Proof.
  intros [K0 K2]. set (h := k / (2 * (1 + k))).
  assert (H : 0 <= h) by (apply Rdiv_nonneg; lra).
  exists (1 + h), (exp (- (1 + k) * ln (1 + h))). split; [lra|]. split; [left; apply exp_pos|]. split.
  - pose proof (tail_worth K0 H) as W.
    assert (E : 1 + (1 + k) * h = (2 + k) / 2) by (unfold h; field; lra). rewrite E in W.
    assert (V : (1 + h + / ((2 + k) / 2)) / 2 = 1 - k * k / (4 * ((1 + k) * (2 + k)))).
    { unfold h. field. lra. }
    assert (k * k / 64 <= k * k / (4 * ((1 + k) * (2 + k)))).
    { unfold Rdiv. apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; nra. }
    lra.
  - intros a b L. set (t := ln (1 + h)). assert (T : 0 <= t) by (unfold t; rewrite <- ln_1; apply ln_le; lra).
    assert (P : forall z n, exp z ^ n = exp (INR n * z)).
    { intros z n. induction n as [|n IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
      rewrite <- tech_pow_Rmult, IH, <- exp_plus, S_INR. f_equal. ring. }
    replace (1 + h) with (exp t) by (apply exp_ln; lra). rewrite !P, <- exp_plus. apply exp_ge_1.
    replace (INR a * t + INR b * (- (1 + k) * t)) with ((INR a - (1 + k) * INR b) * t) by ring.
    apply Rmult_le_pos; lra.
Qed.

(** ** What is left of a distribution when a share w of another is taken out of it *)
Definition left_over A (P Q : dist A) (w : R) (W : 0 <= w < 1) (K : forall f, bounded f -> nonneg f -> w * Q f <= P f) : dist A.
Proof.
  refine {| expect := fun f => (P f - w * Q f) / (1 - w) |}.
  - intros f g Hf Hg. rewrite !expect_plus by assumption. field; lra.
  - intros c f Hf. rewrite !expect_scale by assumption. field; lra.
  - intros f Hf N. apply Rdiv_nonneg; [specialize (K f Hf N)|]; lra.
  - rewrite !expect_one. field; lra.
Defined.

(** ** Reports are linear in the law of each *)
Fixpoint slots {A} (l : list A) : list (list A * list A) :=
  match l with [] => [([], [])] | b :: k => ([], l) :: map (fun p => (b :: fst p, snd p)) (slots k) end.
Definition put {A} (a : A) (p : list A * list A) : list A := (fst p ++ a :: snd p)%list.

Lemma places_slots A (a : A) l : places a l = map (put a) (slots l).
Proof.
  induction l as [|b l IH]; [reflexivity|]. simpl. unfold put at 1. simpl. f_equal. rewrite IH, !map_map. now apply map_ext.
Qed.

Lemma orders_slots A (a : A) l : orders (a :: l) = map (put a) (flat_map slots (orders l)).
Proof.
  simpl. induction (orders l) as [|s L IH]; simpl; [reflexivity|]. now rewrite map_app, IH, places_slots.
Qed.

Lemma places_map A B (g : A -> B) a l : places (g a) (map g l) = map (map g) (places a l).
Proof. induction l as [|b l IH]; simpl; [reflexivity|]. f_equal. rewrite IH, !map_map. now apply map_ext. Qed.

Lemma orders_map A B (g : A -> B) l : orders (map g l) = map (map g) (orders l).
Proof.
  induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH. clear IH.
  induction (orders l) as [|s L IH]; simpl; [reflexivity|]. now rewrite IH, map_app, places_map.
Qed.

Section Linear.
Variables (T A : Type) (law : T -> dist A).

Lemma reports_cons t s f :
  reports law (t :: s) f = / sum (fun _ => 1) (flat_map slots (orders s)) * sum (fun p => each law (put t p) f) (flat_map slots (orders s)).
Proof.
  unfold reports, shuffled, evenly. cbn [bind expect]. rewrite pick_expect, orders_slots, !Norms.sum_map.
  f_equal. apply sum_ext. intros; ring.
Qed.

Lemma each_linear t k1 t1 k2 t2 k3 t3 : (forall f, bounded f -> law t f = k1 * law t1 f + k2 * law t2 f + k3 * law t3 f) ->
  forall pre post f, bounded f -> each law (put t (pre, post)) f =
    k1 * each law (put t1 (pre, post)) f + k2 * each law (put t2 (pre, post)) f + k3 * each law (put t3 (pre, post)) f.
Proof.
  intros H pre post. unfold put. cbn [fst snd]. induction pre as [|c pre IH]; intros f B.
  - cbn [app each bind expect ret]. apply H. apply (bounded_expect (fun a => bind (each law post) (fun l => ret (a :: l)))). exact B.
  - cbn [app each bind expect ret].
    assert (Bf : forall a, bounded (fun l => f (a :: l))) by (destruct B as [b Hb]; intros a; exists b; auto).
    assert (Bd : forall s, bounded (fun a => each law s (fun l => f (a :: l)))).
    { intros s. apply (bounded_expect (fun a => bind (each law s) (fun l => ret (a :: l)))). exact B. }
    rewrite <- !expect_scale, <- !expect_plus by auto with bounded.
    apply expect_ext; [apply Bd | intros a; now apply IH].
Qed.

Lemma reports_linear t k1 t1 k2 t2 k3 t3 : (forall f, bounded f -> law t f = k1 * law t1 f + k2 * law t2 f + k3 * law t3 f) ->
  forall s f, bounded f -> reports law (t :: s) f =
    k1 * reports law (t1 :: s) f + k2 * reports law (t2 :: s) f + k3 * reports law (t3 :: s) f.
Proof.
  intros H s f B. rewrite !reports_cons. set (W := flat_map slots (orders s)).
  assert (E : sum (fun p => each law (put t p) f) W = k1 * sum (fun p => each law (put t1 p) f) W +
    k2 * sum (fun p => each law (put t2 p) f) W + k3 * sum (fun p => each law (put t3 p) f) W).
  { rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros [pre post] _. now apply each_linear. }
  rewrite E. ring.
Qed.
End Linear.

Lemma reports_map S T A (law : T -> dist A) (g : S -> T) x : same (reports law (map g x)) (reports (fun s => law (g s)) x).
Proof.
  intros f B. unfold reports, shuffled, evenly. cbn [bind expect]. rewrite !pick_expect, orders_map, !Norms.sum_map. f_equal.
  apply sum_ext. intros s _. f_equal. revert f B. induction s as [|a s IH]; intros f B; [reflexivity|]. cbn [map each bind expect ret].
  assert (Bd : forall t, bounded (fun a => each law t (fun l => f (a :: l)))).
  { intros t. apply (bounded_expect (fun a => bind (each law t) (fun l => ret (a :: l)))). exact B. }
  apply expect_ext; [apply Bd|]. intros r. apply IH. destruct B as [b Hb]. exists b; auto.
Qed.

(** ** The laws of clones, of a randomizer of a pure loss *)
Section Hidden.
Variables (T A : Type) (M : T -> dist A) (l : R) (a b : T).
Hypothesis l_pos : 0 < l.
Hypothesis Each : forall s t, pure (M s) (M t) l.
Let e := exp l.
Let q := / e.

Lemma e_above : 1 < e. Proof. unfold e. rewrite <- exp_0. now apply exp_increasing. Qed.
Lemma q_between : 0 <= q < 1.
Proof.
  pose proof e_above. unfold q. split; [left; apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.
Lemma q_e : q * e = 1. Proof. pose proof e_above. unfold q. field. lra. Qed.

Lemma near s t f : bounded f -> nonneg f -> q * M s f <= M t f.
Proof.
  intros B N. pose proof (ind_scale (Each s t) B N) as H. fold e in H. pose proof q_between. pose proof q_e.
  replace (M t f) with (q * (e * M t f)) by (rewrite <- Rmult_assoc, q_e; ring). apply Rmult_le_compat_l; lra.
Qed.

Lemma near_both t f : bounded f -> nonneg f -> q * mix (p := / 2) ltac:(lra) (M a) (M b) f <= M t f.
Proof. intros B N. pose proof (near a t B N). pose proof (near b t B N). cbn [mix expect]. lra. Qed.

Inductive report := Row (t : T) | CloneOf (first : bool) | Rest (t : T).
Definition law (r : report) : dist A :=
  match r with
  | Row t => M t
  | CloneOf true => @left_over A (M a) (M b) q q_between (near b a)
  | CloneOf false => @left_over A (M b) (M a) q q_between (near a b)
  | Rest t => @left_over A (M t) _ q q_between (near_both t)
  end.

Lemma law_clone t f : bounded f ->
  law (Row t) f = q / 2 * law (CloneOf true) f + q / 2 * law (CloneOf false) f + (1 - q) * law (Rest t) f.
Proof. intros _. pose proof q_between. cbn [law left_over mix expect]. field. lra. Qed.

Lemma law_a f : bounded f -> law (Row a) f = e / (e + 1) * law (CloneOf true) f + / (e + 1) * law (CloneOf false) f + 0 * law (Row a) f.
Proof. intros _. pose proof e_above. cbn [law left_over expect]. unfold q. field. lra. Qed.
Lemma law_b f : bounded f -> law (Row b) f = / (e + 1) * law (CloneOf true) f + e / (e + 1) * law (CloneOf false) f + 0 * law (Row b) f.
Proof. intros _. pose proof e_above. cbn [law left_over expect]. unfold q. field. lra. Qed.

(** k: by how much more heads than tails there may be. *)
Theorem hidden os k : 0 <= k <= 2 ->
  ind (reports M (a :: os)) (reports M (b :: os)) (ln (1 + (e - 1) / (e + 1) * k)) (2 * (1 - q * (k * k / 64)) ^ S (length os)).
Proof.
  intros K f F. pose proof e_above as E. pose proof q_between as Q.
  set (h := (e - 1) / (e + 1)). assert (H : 0 <= h) by (apply Rdiv_nonneg; lra).
  assert (Hk : 0 <= h * k) by (apply Rmult_le_pos; lra). rewrite exp_ln by lra.
  destruct (moment K) as (x & y & X & Y & Mo & Far).
  assert (Bf : bounded f) by auto with bounded.
  assert (R : forall s, reports M s f = reports law (map Row s) f) by (intros s; symmetry; exact (reports_map law Row s Bf)).
  rewrite !R. cbn [map]. set (o := map Row os).
  rewrite (reports_linear law (Row a) _ _ _ law_a o Bf), (reports_linear law (Row b) _ _ _ law_b o Bf), !Rmult_0_l, !Rplus_0_r.
  set (p := e / (e + 1)). set (p' := / (e + 1)). set (r := 1 + h * k).
  assert (P : p = 1 - p') by (unfold p, p'; field; lra).
  assert (P0 : 0 <= p') by (left; apply Rinv_0_lt_compat; lra).
  assert (Hp : h = 1 - 2 * p') by (unfold h, p'; field; lra).
  clearbody p p' h. subst p h.
  assert (C : Forall (cloned (CloneOf true) (CloneOf false) (fun s => reports law s f) q) o).
  { apply Forall_map, Forall_forall. intros t _. exists (Rest t). intros s.
    exact (reports_linear law (Row t) _ _ _ (law_clone t) s Bf). }
  assert (Small : (1 - p') - r * p' <= 1 /\ p' - r * (1 - p') <= 1 /\ 0 <= x /\ 0 <= y) by (unfold r; repeat split; nra).
  assert (Fa : forall m n, 0 < ((1 - p') - r * p') * INR m + (p' - r * (1 - p')) * INR n -> 1 <= x ^ m * y ^ n).
  { intros m n L. apply Far. apply Rnot_lt_le. intros Le. pose proof (pos_INR m). pose proof (pos_INR n).
    apply (Rlt_not_le _ _ L). set (i := INR m) in *. set (j := INR n) in *.
    replace (((1 - p') - r * p') * i + (p' - r * (1 - p')) * j) with ((1 - 2 * p') * ((i - j) - k * (p' * i + (1 - p') * j))) by (unfold r; ring).
    assert ((i - j) - k * (p' * i + (1 - p') * j) <= 0).
    { destruct (Rle_dec i j) as [IJ|IJ].
      - assert (0 <= p' * i + (1 - p') * j) by nra. nra.
      - assert (j <= p' * i + (1 - p') * j) by nra. nra. }
    nra. }
  assert (Ol : forall s t, Permutation s t -> reports law s f = reports law t f) by (intros s t St; exact (reports_same law St Bf)).
  assert (Te : forall s, 0 <= reports law s f <= 1) by (intros s; now apply expect_test).
  assert (Sh : 0 <= q <= 1) by lra.
  pose proof (@clones _ _ _ (fun s => reports law s f) _ _ _ _ _ Ol Te Sh Small Fa _ C) as B. cbv beta in B.
  assert (B' : 2 * ((x + y) / 2) * (1 - q + q * ((x + y) / 2)) ^ length o <= 2 * (1 - q * (k * k / 64)) ^ S (length os)).
  { unfold o. rewrite map_length. rewrite <- tech_pow_Rmult, Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    assert (0 <= k * k / 64) by nra. set (m := (x + y) / 2) in *. set (w := k * k / 64) in *.
    assert (0 <= m) by (unfold m; lra).
    apply Rmult_le_compat; [assumption | apply pow_le; nra | nra | apply pow_incr; nra]. }
  set (g0 := reports law (CloneOf true :: o) f) in *. set (g1 := reports law (CloneOf false :: o) f) in *. lra.
Qed.
End Hidden.

(** ** The theorem, as it is stated *)
Definition hidden_epsilon (l n delta : R) : R :=
  Rmin l (ln (1 + (exp l - 1) / (exp l + 1) * (8 * sqrt (exp l * ln (4 / delta) / n) + 8 * exp l / n))).

Lemma power_exp z n : 0 <= z <= 1 -> (1 - z) ^ n <= exp (- (INR n * z)).
Proof.
  intros Z. induction n as [|n IH]; [simpl; rewrite Rmult_0_l, Ropp_0, exp_0; lra|].
  rewrite <- tech_pow_Rmult, S_INR. replace (- ((INR n + 1) * z)) with (- z + - (INR n * z)) by ring. rewrite exp_plus.
  pose proof (exp_ineq1_le (- z)). apply Rmult_le_compat; [lra | apply pow_le; lra | lra | exact IH].
Qed.

Section Shuffled.
Variables (T A : Type) (M : T -> dist A) (n : nat) (delta l : R).
Hypothesis proper : 0 < delta < 1.
Hypothesis l_nonneg : 0 <= l.
Hypothesis enough : 16 * exp l * ln (2 / delta) <= INR n.
Hypothesis Each : forall s t, pure (M s) (M t) l.

Lemma log_above_0 : 0 < ln (2 / delta) /\ ln (2 / delta) <= ln (4 / delta).
Proof.
  assert (D : 0 < / delta) by (apply Rinv_0_lt_compat; lra).
  assert (1 < 2 / delta).
  { unfold Rdiv. apply Rmult_lt_reg_r with delta; [lra|]. rewrite Rmult_assoc, Rinv_l; lra. }
  split; [rewrite <- ln_1; apply ln_increasing; lra | apply ln_le; [lra|]]. unfold Rdiv. apply Rmult_le_compat_r; lra.
Qed.

Lemma size_above_0 : 0 < INR n.
Proof. pose proof log_above_0. pose proof (exp_pos l). assert (0 < exp l * ln (2 / delta)) by (apply Rmult_lt_0_compat; lra). lra. Qed.

Lemma hidden_nonneg : 0 <= hidden_epsilon l (INR n) delta.
Proof.
  unfold hidden_epsilon. apply Rmin_glb; [exact l_nonneg|]. rewrite <- ln_1 at 1. apply ln_le; [lra|].
  pose proof size_above_0. pose proof (exp_pos l). pose proof (exp_ge_1 l_nonneg).
  assert (0 <= (exp l - 1) / (exp l + 1)) by (apply Rdiv_nonneg; lra).
  assert (0 <= 8 * exp l / INR n) by (apply Rdiv_nonneg; lra).
  pose proof (sqrt_pos (exp l * ln (4 / delta) / INR n)). nra.
Qed.

Lemma reports_hidden a b os : length (a :: os) = n ->
  approx (reports M (a :: os)) (reports M (b :: os)) (hidden_epsilon l (INR n) delta, delta).
Proof.
  intros N. unfold approx. cbn [fst snd].
  assert (Plain : ind (reports M (a :: os)) (reports M (b :: os)) l delta).
  { apply ind_weaken with l 0; [lra | lra|]. apply reports_close; [exact l_nonneg | exact Each|].
    exists [a], [b]. split; [exists os; split; apply Permutation_cons_append | split; [reflexivity | simpl; lra]]. }
  unfold hidden_epsilon. apply Rmin_case; [exact Plain|].
  destruct l_nonneg as [L|L].
  2:{ rewrite <- L, exp_0 in *. replace ((1 - 1) / (1 + 1)) with 0 by field. rewrite Rmult_0_l, Rplus_0_r, ln_1. exact Plain. }
  destruct log_above_0 as [L0 L4]. pose proof size_above_0 as N0. pose proof (e_above L) as E.
  set (e := exp l) in *. set (u := e * ln (2 / delta) / INR n). set (k := 8 * sqrt u).
  assert (U0 : 0 <= u) by (unfold u; apply Rdiv_nonneg; [apply Rmult_le_pos; lra | exact N0]).
  assert (U : u <= / 16).
  { unfold u. apply Rmult_le_reg_r with (INR n); [exact N0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (K : 0 <= k <= 2).
  { pose proof (sqrt_pos u). assert (sqrt u <= / 4); [|unfold k; lra].
    replace (/ 4) with (sqrt (/ 16)); [now apply sqrt_le_1_alt|]. apply sqrt_lem_1; lra. }
  assert (KK : k * k / 64 = u) by (unfold k; pose proof (sqrt_sqrt u U0); nra).
  pose proof (hidden M a b L Each os K) as H. fold e in H. rewrite KK in H. change (length os) with (pred (length (a :: os))) in H.
  rewrite N in H. assert (Sn : S (pred n) = n) by (destruct n; [simpl in N0; lra | reflexivity]). rewrite Sn in H.
  apply ind_weaken with (3 := H).
  - apply ln_le.
    + assert (0 <= (e - 1) / (e + 1) * k) by (apply Rmult_le_pos; [apply Rdiv_nonneg; lra | apply K]). lra.
    + apply Rplus_le_compat_l, Rmult_le_compat_l; [apply Rdiv_nonneg; lra|].
      assert (0 <= 8 * e / INR n) by (apply Rdiv_nonneg; lra).
      assert (sqrt u <= sqrt (e * ln (4 / delta) / INR n)); [|unfold k; lra].
      apply sqrt_le_1_alt. unfold u, Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | apply Rmult_le_compat_l; lra].
  - assert (Q : 0 <= / e <= 1) by (split; [left; apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Z : 0 <= / e * u <= 1) by (split; [apply Rmult_le_pos; lra | nra]).
    pose proof (power_exp n Z) as P.
    replace (INR n * (/ e * u)) with (ln (2 / delta)) in P by (unfold u; field; lra).
    rewrite exp_Ropp, exp_ln in P by (apply Rdiv_lt_0_compat; lra).
    replace (/ (2 / delta)) with (delta / 2) in P by (field; lra). lra.
Qed.

Lemma reports_shuffled x y : length x = n -> change_one 1 x y ->
  approx (reports M x) (reports M y) (hidden_epsilon l (INR n) delta, delta).
Proof.
  intros Lx (s & t & (c & X & Y) & E & F). apply (INR_le _ 1) in F. destruct s as [|a [|]], t as [|b [|]]; simpl in E, F; try lia.
  - rewrite app_nil_r in X, Y. apply div_le with (zero : R * R); [split; [apply hidden_nonneg | simpl; lra]|].
    apply (div_same (ms := approx)), reports_same. now rewrite X.
  - apply (div_resp (ms := approx)) with (reports M (a :: c)) (reports M (b :: c)).
    1, 2: apply same_sym, reports_same; rewrite ?X, ?Y; symmetry; apply Permutation_cons_append.
    apply reports_hidden. rewrite <- Lx. symmetry. now rewrite X, <- Permutation_cons_append.
Qed.
End Shuffled.

(** n reports of loss e = loss(1) each, in an order drawn fairly, where [16 e^e log(2/delta) <= n]. *)
Theorem shuffled_pure T A (M : T -> dist A) loss n delta : 0 < delta < 1 -> 0 <= loss 1 ->
  16 * exp (loss 1) * ln (2 / delta) <= INR n -> private discrete pure M loss ->
  private (on (fun x => length x = n) change_one) approx (reports M)
    (fun d => group d (hidden_epsilon (loss 1) (INR n) delta, delta)).
Proof.
  intros D L N H.
  assert (Each : forall s t, pure (M s) (M t) (loss 1)) by (intros s t; apply (H 1); split; [lra | right; lra]).
  apply (lift (ms := approx)).
  - apply whole_inside; [apply whole_change_one|]. intros d x y K <-. symmetry. exact (change_one_size K).
  - intros x y (_ & _ & K). now apply reports_same, LocalModel.change_one_0.
  - split; [now apply hidden_nonneg | simpl; lra].
  - intros x y (Lx & _ & K). now apply reports_shuffled.
Qed.
